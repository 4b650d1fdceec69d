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

/** The project and the home directory, environment and platform of the user. */
export interface UserEnvironment {
  readonly root: string;
  /** The user's home directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
export type ServerEntry = Readonly<Record<string, unknown>>;
export interface KnownClient {
  readonly id: ClientId;
  readonly title: string;
  /** Programs on the PATH that show that it is installed. */
  readonly programs: readonly string[];
  /** Files or directories that show that it is used. */
  signs(where: UserEnvironment): readonly string[];
  /** Its configuration file; `undefined` if it has none for that scope. */
  file(scope: SetupScope, where: UserEnvironment): string | undefined;
  readonly format: "json" | "toml";
  /** The path of keys to the servers, for the current content of the file. */
  servers(content: unknown): readonly string[];
  entry(start: ServerStart): ServerEntry;
  /** Its variable for the open folder, if it may start us in another directory. */
  readonly openFolder?: string;
  /** What to tell the person after a file of that scope is written. */
  readonly afterwards?: Partial<Record<SetupScope, string>>;
}
export interface ServerStart extends Pick<Launch, "command" | "args"> {
  readonly env: Readonly<Record<string, string>>;
}
