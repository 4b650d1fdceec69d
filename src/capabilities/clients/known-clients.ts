import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Launch } from "./launch.ts";

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
export type Scope = "project" | "user";
/** The name our entry has in every client's configuration. */
export const SERVER_NAME = "contextful";

/** Where things are on the machine of whoever asks. */
export interface Surroundings {
  readonly root: string;
  /** The user's own directory. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
export type Entry = Readonly<Record<string, unknown>>;
export interface KnownClient {
  readonly id: ClientId;
  readonly title: string;
  /** Programs on the PATH that show it is installed. */
  readonly programs: readonly string[];
  /** Files or directories that show it is used. */
  signs(where: Surroundings): readonly string[];
  /** Its configuration file; `undefined` where it has none of that scope. */
  file(scope: Scope, where: Surroundings): string | undefined;
  readonly format: "json" | "toml";
  /** Where servers stand in what the file holds now. */
  servers(content: unknown): readonly string[];
  entry(start: Start): Entry;
  /** How it writes the folder that is open, where it may start us elsewhere. */
  readonly openFolder?: string;
  /** What a person must know once a file of that scope is written. */
  readonly afterwards?: Partial<Record<Scope, string>>;
}
export interface Start extends Pick<Launch, "command" | "args"> {
  readonly env: Readonly<Record<string, string>>;
}

const xdg = ({ home, env }: Surroundings, ...path: string[]) =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), ...path);
/** Where desktop programs keep their data. */
function desktop({ home, env, platform }: Surroundings, ...path: string[]): string {
  if (platform === "win32") return join(env["APPDATA"] || join(home, "AppData", "Roaming"), ...path);
  if (platform === "darwin") return join(home, "Library", "Application Support", ...path);
  return join(env["XDG_CONFIG_HOME"] || join(home, ".config"), ...path);
}
const devinHome = (where: Surroundings) =>
  where.platform === "win32" ? desktop(where, "devin") : xdg(where, "devin");
const codexHome = ({ home, env }: Surroundings) => env["CODEX_HOME"] || join(home, ".codex");
const firstThere = (files: readonly [string, ...string[]]) =>
  files.find((file) => existsSync(file)) ?? files[0];

const under = (key: string) => () => [key];
const plain = ({ command, args, env }: Start): Entry => ({ command, args, env });
const typed = (start: Start): Entry => ({ type: "stdio", ...plain(start) });
const inScope = (scope: Scope, project: string, user: string) => (scope === "project" ? project : user);

/** In its newer form OpenCode keeps servers one level deeper; it reads both. In the older one `servers` may be a server. */
const NewerOpenCode = z.object({ mcp: z.object({ servers: z.record(z.string(), z.looseObject({})) }) });

/** A variable of VS Code and its relatives. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in, not we.
const WORKSPACE_FOLDER = "${workspaceFolder}";

export const CLIENTS: readonly KnownClient[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    programs: ["claude"],
    signs: ({ home }) => [join(home, ".claude"), join(home, ".claude.json")],
    file: (scope, { root, home }) => inScope(scope, join(root, ".mcp.json"), join(home, ".claude.json")),
    format: "json",
    servers: under("mcpServers"),
    entry: typed,
    afterwards: { project: "Claude Code asks once whether the project's server may run." },
  },
  {
    id: "cline",
    title: "Cline",
    programs: ["cline"],
    signs: ({ home }) => [join(home, ".cline")],
    file: (scope, { home, env }) =>
      scope === "project"
        ? undefined
        : env["CLINE_MCP_SETTINGS_PATH"] ||
          join(home, ".cline", "data", "settings", "cline_mcp_settings.json"),
    format: "json",
    servers: under("mcpServers"),
    entry: (start) => ({ ...plain(start), disabled: false, autoApprove: [] }),
  },
  {
    id: "codex",
    title: "Codex",
    programs: ["codex"],
    signs: (where) => [codexHome(where), join(where.root, ".codex")],
    file: (scope, where) =>
      inScope(scope, join(where.root, ".codex", "config.toml"), join(codexHome(where), "config.toml")),
    format: "toml",
    servers: under("mcp_servers"),
    entry: plain,
    afterwards: { project: "Codex reads a project's configuration only where the project is trusted." },
  },
  {
    id: "cursor",
    title: "Cursor",
    programs: ["cursor"],
    signs: ({ root, home }) => [join(home, ".cursor"), join(root, ".cursor")],
    file: (scope, { root, home }) =>
      inScope(scope, join(root, ".cursor", "mcp.json"), join(home, ".cursor", "mcp.json")),
    format: "json",
    servers: under("mcpServers"),
    entry: plain,
    openFolder: WORKSPACE_FOLDER,
  },
  {
    id: "devin",
    title: "Devin (Windsurf)",
    programs: ["devin", "windsurf"],
    signs: (where) => [
      devinHome(where),
      join(where.root, ".devin"),
      join(where.home, ".codeium", "windsurf"),
    ],
    file: (scope, where) =>
      inScope(
        scope,
        join(where.root, ".devin", "mcp_config.json"),
        firstThere([
          join(devinHome(where), "mcp_config.json"),
          join(where.home, ".codeium", "windsurf", "mcp_config.json"),
        ]),
      ),
    format: "json",
    servers: under("mcpServers"),
    entry: plain,
    afterwards: {
      project: "Refresh the list of servers in its settings, or start it again.",
      user: "Refresh the list of servers in its settings, or start it again.",
    },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    programs: ["gemini"],
    signs: ({ root, home }) => [join(home, ".gemini"), join(root, ".gemini")],
    file: (scope, { root, home }) =>
      inScope(scope, join(root, ".gemini", "settings.json"), join(home, ".gemini", "settings.json")),
    format: "json",
    servers: under("mcpServers"),
    entry: plain,
    afterwards: { project: "Gemini CLI starts servers only in folders it trusts." },
  },
  {
    id: "opencode",
    title: "OpenCode",
    programs: ["opencode"],
    signs: (where) => [
      xdg(where, "opencode"),
      join(where.root, ".opencode"),
      join(where.root, "opencode.json"),
      join(where.root, "opencode.jsonc"),
    ],
    file: (scope, where) => {
      const { root } = where;
      return scope === "project"
        ? firstThere([
            join(root, "opencode.json"),
            join(root, "opencode.jsonc"),
            join(root, ".opencode", "opencode.json"),
            join(root, ".opencode", "opencode.jsonc"),
          ])
        : firstThere([xdg(where, "opencode", "opencode.json"), xdg(where, "opencode", "opencode.jsonc")]);
    },
    format: "json",
    servers: (content) => (NewerOpenCode.safeParse(content).success ? ["mcp", "servers"] : ["mcp"]),
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      environment: env,
      enabled: true,
    }),
  },
  {
    id: "vscode",
    title: "VS Code",
    programs: ["code"],
    signs: (where) => [desktop(where, "Code"), join(where.root, ".vscode")],
    file: (scope, where) =>
      inScope(scope, join(where.root, ".vscode", "mcp.json"), desktop(where, "Code", "User", "mcp.json")),
    format: "json",
    servers: under("servers"),
    entry: typed,
    openFolder: WORKSPACE_FOLDER,
  },
  {
    id: "zed",
    title: "Zed",
    programs: ["zed", "zeditor"],
    signs: (where) => [zedHome(where), join(where.root, ".zed")],
    file: (scope, where) =>
      inScope(scope, join(where.root, ".zed", "settings.json"), join(zedHome(where), "settings.json")),
    format: "json",
    servers: under("context_servers"),
    // Older releases read an entry only where it says that it is the user's own.
    entry: (start) => ({ source: "custom", ...plain(start) }),
  },
];

function zedHome(where: Surroundings): string {
  return where.platform === "win32" ? desktop(where, "Zed") : xdg(where, "zed");
}

export const isClientId = (name: string): name is ClientId => CLIENT_IDS.some((id) => id === name);
export function clientOf(id: ClientId): KnownClient {
  const client = CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client;
}
