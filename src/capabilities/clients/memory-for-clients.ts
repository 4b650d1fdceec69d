/** The functions of the team's memory that export and import need; app.ts passes them in. */
export interface MemoryForClients {
  listText(kind: SharedTextKind): Promise<readonly SharedText[]>;
  listDecisions(): Promise<readonly SharedDecision[]>;
  listSkills(): Promise<readonly SharedSkill[]>;
  addText(
    kind: SharedTextKind,
    text: { readonly key: string; readonly content: string },
    writer: EntryWriter,
  ): Promise<unknown>;
  addSkill(
    skill: { readonly name: string; readonly description: string; readonly instructions: string },
    writer: EntryWriter,
  ): Promise<unknown>;
}
type SharedTextKind = "convention" | "knowledge";
interface Scoped {
  /** Only `public` entries leave the memory. */
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
interface EntryWriter {
  readonly actor: string;
  readonly signal: AbortSignal;
}
