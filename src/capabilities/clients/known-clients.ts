import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type {
  ClientId,
  KnownClient,
  ServerEntry,
  ServerStart,
  SetupScope,
  UserEnvironment,
} from "./client.ts";

const under = (key: string) => () => [key];
const bare = ({ command, args, env }: ServerStart): ServerEntry => ({ command, args, env });
const typed = (start: ServerStart): ServerEntry => ({ type: "stdio", ...bare(start) });
const inScope = (scope: SetupScope, project: string, user: string) => (scope === "project" ? project : user);

/** New versions of OpenCode keep servers one level deeper and read both forms. In the old form `servers` may be the name of a server. */
const NewerOpenCode = z.object({ mcp: z.object({ servers: z.record(z.string(), z.looseObject({})) }) });

/** A variable of VS Code and its forks. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in.
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
    entry: (start) => ({ ...bare(start), disabled: false, autoApprove: [] }),
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
    entry: bare,
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
    entry: bare,
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
        firstExisting([
          join(devinHome(where), "mcp_config.json"),
          join(where.home, ".codeium", "windsurf", "mcp_config.json"),
        ]),
      ),
    format: "json",
    servers: under("mcpServers"),
    entry: bare,
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
    entry: bare,
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
        ? firstExisting([
            join(root, "opencode.json"),
            join(root, "opencode.jsonc"),
            join(root, ".opencode", "opencode.json"),
            join(root, ".opencode", "opencode.jsonc"),
          ])
        : firstExisting([xdg(where, "opencode", "opencode.json"), xdg(where, "opencode", "opencode.jsonc")]);
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
    // Older releases read an entry only if it is marked as custom.
    entry: (start) => ({ source: "custom", ...bare(start) }),
  },
];

export function clientOf(id: ClientId): KnownClient {
  const client = CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client;
}

const xdg = ({ home, env }: UserEnvironment, ...path: string[]): string =>
  join(env["XDG_CONFIG_HOME"] || join(home, ".config"), ...path);

/** Where desktop programs keep their data. */
function desktop(where: UserEnvironment, ...path: string[]): string {
  const { home, env, platform } = where;
  if (platform === "win32") return join(env["APPDATA"] || join(home, "AppData", "Roaming"), ...path);
  if (platform === "darwin") return join(home, "Library", "Application Support", ...path);
  return xdg(where, ...path);
}

const codexHome = ({ home, env }: UserEnvironment): string => env["CODEX_HOME"] || join(home, ".codex");
const devinHome = (where: UserEnvironment): string =>
  where.platform === "win32" ? desktop(where, "devin") : xdg(where, "devin");
const zedHome = (where: UserEnvironment): string =>
  where.platform === "win32" ? desktop(where, "Zed") : xdg(where, "zed");

/** The first file that exists, else the first one. */
const firstExisting = (files: readonly [string, ...string[]]): string =>
  files.find((file) => existsSync(file)) ?? files[0];
