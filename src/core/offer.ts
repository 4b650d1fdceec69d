/** What a room offers to MCP clients beside tools. */
export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
}
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType: string;
}
export interface ResourceSource {
  readonly templates: readonly ResourceTemplate[];
  list(): Promise<readonly ResourceEntry[]>;
  /** `undefined` where there is no such resource. */
  read(uri: string): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
}
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  render(values: Readonly<Record<string, string>>): Promise<string>;
}
