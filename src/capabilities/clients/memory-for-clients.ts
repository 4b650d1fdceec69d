/** What export and import need of the team's memory; app.ts hands it in. */
export interface MemoryForClients {
  listText(kind: TextKind): Promise<readonly SharedText[]>;
  listDecisions(): Promise<readonly SharedDecision[]>;
  listSkills(): Promise<readonly SharedSkill[]>;
  addText(
    kind: TextKind,
    text: { readonly key: string; readonly content: string },
    writer: Writer,
  ): Promise<unknown>;
  addSkill(
    skill: { readonly name: string; readonly description: string; readonly instructions: string },
    writer: Writer,
  ): Promise<unknown>;
}
export type TextKind = "convention" | "knowledge";
interface Scoped {
  /** Only `public` ever leaves the memory. */
  readonly scope: string;
}
export interface SharedText extends Scoped {
  readonly key: string;
  readonly content: string;
}
export interface SharedDecision extends Scoped {
  readonly id: number;
  readonly title: string;
}
export interface SharedSkill extends Scoped {
  readonly name: string;
  readonly description: string;
  /** The whole SKILL.md. */
  readonly content: string;
}
export interface Writer {
  readonly actor: string;
  readonly signal: AbortSignal;
}
