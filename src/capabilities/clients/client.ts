import type { Launch } from "./setup/launch.ts";

export const CLIENT_IDS = [
  "claude-code",
  "cline",
  "codex",
  "cursor",
  "devin",
  "gemini",
  "opencode",
  "vscode",
  "zed",
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];
export type SetupScope = "project" | "user";
export const isClientId = (name: string): name is ClientId => CLIENT_IDS.some((id) => id === name);
/** The name our entry has in every client's configuration. */
export const SERVER_NAME = "contextful";

/** Where things are on the machine of whoever asks. */
export interface UserEnvironment {
  readonly root: string;
  /** The user's own directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
export type ServerEntry = Readonly<Record<string, unknown>>;
export interface KnownClient {
  readonly id: ClientId;
  readonly title: string;
  /** Programs on the PATH that show it is installed. */
  readonly programs: readonly string[];
  /** Files or directories that show it is used. */
  signs(where: UserEnvironment): readonly string[];
  /** Its configuration file; `undefined` where it has none of that scope. */
  file(scope: SetupScope, where: UserEnvironment): string | undefined;
  readonly format: "json" | "toml";
  /** Where servers stand in what the file holds now. */
  servers(content: unknown): readonly string[];
  entry(start: ServerStart): ServerEntry;
  /** How it writes the folder that is open, where it may start us elsewhere. */
  readonly openFolder?: string;
  /** What a person must know once a file of that scope is written. */
  readonly afterwards?: Partial<Record<SetupScope, string>>;
}
export interface ServerStart extends Pick<Launch, "command" | "args"> {
  readonly env: Readonly<Record<string, string>>;
}
