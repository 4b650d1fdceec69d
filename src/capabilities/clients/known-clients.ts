import { join } from "node:path";
import { z } from "zod";
import type { ClientId, Entry, KnownClient, Scope, Start } from "./client.ts";
import { codexHome, desktop, devinHome, firstThere, xdg, zedHome } from "./client-places.ts";

const under = (key: string) => () => [key];
const bare = ({ command, args, env }: Start): Entry => ({ command, args, env });
const typed = (start: Start): Entry => ({ type: "stdio", ...bare(start) });
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
        firstThere([
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
    entry: (start) => ({ source: "custom", ...bare(start) }),
  },
];

export function clientOf(id: ClientId): KnownClient {
  const client = CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`no client ${id}`);
  return client;
}
