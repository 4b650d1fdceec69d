/** A client that we know by the name it gives itself. */
interface McpClient {
  /** `clientInfo.name`, or the product in its User-Agent, in lower case. */
  readonly names: readonly string[];
  /** A coding agent gets the lean list; any other client gets all tools. */
  readonly isCodingAgent: boolean;
  /** It refuses dots in tool names, or replaces them so that two names become one. */
  readonly breaksDots: boolean;
  readonly source: string;
}

/** Where most of the names come from: what clients sent to a public server. */
const SEEN = "github.com/apify/mcp-client-capabilities";

/** One row per client; a row needs a source. A client that is not here gets the contracts' names and all tools. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    names: ["claude-code"],
    isCodingAgent: true,
    breaksDots: true,
    source: "run with 2.1.325: dots become underscores, so context.search and context_search collide",
  },
  {
    names: ["claude-ai", "claude-desktop"],
    isCodingAgent: false,
    breaksDots: true,
    source: "github.com/barryw/ImmichMCP issue 4: the whole list is refused",
  },
  {
    names: ["codex-mcp-client", "codex"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/openai/codex issue 8174: 0.73 fails; 0.166 was run and keeps dots",
  },
  {
    names: ["github-copilot-developer", "copilot-cli"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/github/copilot-cli issues 1879 and 2581: every prompt fails",
  },
  {
    names: ["jetbrains-iu-copilot-intellij", "jetbrains-jbc-copilot-intellij", "xcode-copilot-xcode"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/microsoft/copilot-intellij-feedback issue 1583",
  },
  {
    names: ["cursor-vscode", "cursor"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/webstudio-is/webstudio issue 5960: tools with dots are refused",
  },
  {
    names: ["visual studio code", "visual-studio-code", "visual studio code - insiders", "code - oss"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/microsoft/vscode issue 308463: dots become underscores",
  },
  {
    names: ["cline"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/cline/kanban pull request 47: the model's API refuses dots",
  },
  {
    names: ["continue-client", "continue-cli-client"],
    isCodingAgent: true,
    breaksDots: true,
    source: "github.com/continuedev/continue pull request 7468: dots become underscores",
  },
  {
    names: ["opencode"],
    isCodingAgent: true,
    breaksDots: true,
    source: `${SEEN}; all but letters, digits, _ and - become underscores in its src/mcp`,
  },
  {
    names: ["gemini-cli-mcp-client", "gemini-cli"],
    isCodingAgent: true,
    breaksDots: false,
    source: `${SEEN}; its docs/tools/mcp-server.md keeps dots`,
  },
  {
    names: [
      "amp-mcp-client",
      "antigravity-client",
      "crush",
      "factory-cli",
      "goose",
      "kilo-code",
      "q-dev-cli",
      "roo-code",
      "windsurf",
      "windsurf-client",
      "zed",
    ],
    isCodingAgent: true,
    // Not seen to break dots; but they speak to models whose API refuses them, and names without dots work everywhere.
    breaksDots: true,
    source: SEEN,
  },
];

/** Gemini CLI adds the server's name to its own. */
export const clientNamed = (name: string | undefined): McpClient | undefined => {
  const lower = name?.toLowerCase() ?? "";
  return (
    MCP_CLIENTS.find(({ names }) => names.includes(lower)) ??
    MCP_CLIENTS.find(({ names }) => names.some((known) => lower.startsWith(`${known}-`)))
  );
};
