import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { requireParts } from "../../core/required-parts.ts";
import type { CliContext, McpServing, OpenOptions } from "./cli-context.ts";
import { OK } from "./exit-codes.ts";

export interface McpFlags {
  readonly root?: string | undefined;
  readonly cacheRoot?: string | undefined;
  readonly allowRoot?: readonly string[] | undefined;
  readonly tools: string;
  readonly toolNames: McpServing["names"];
}
interface ServeOption {
  readonly flag: string;
  readonly value: string;
  readonly description: string;
  readonly isRepeatable?: boolean;
  readonly choices?: readonly string[];
  readonly fallback?: string;
}

/** The options of `mcp`, `serve` and `start`: read by `readMcpOptions`, and turned into flags with help by serve-commands.ts. */
export const MCP_OPTIONS: readonly ServeOption[] = [
  { flag: "root", value: "DIR", description: "The project to serve, if it is not the current directory" },
  {
    flag: "cache-root",
    value: "DIR",
    description: "Where caches are found by name [default: .context-caches in the project]",
  },
  {
    flag: "allow-root",
    value: "DIR",
    description: "A directory tools may be pointed at; * for any (repeatable)",
    isRepeatable: true,
  },
  {
    flag: "tools",
    value: "PROFILE",
    description:
      "What is listed: auto (lean for coding agents, else all), all, lean, or rooms separated by commas",
    fallback: "auto",
  },
  {
    flag: "tool-names",
    value: "FORM",
    description: "auto (by client), contract, or safe: without dots",
    choices: ["auto", "contract", "safe"],
    fallback: "auto",
  },
];

/** The flags of `mcp` if they are valid; otherwise `undefined`, and the command-line library explains what is wrong. */
export function readMcpOptions(args: readonly string[]): McpFlags | undefined {
  try {
    const options = Object.fromEntries(
      MCP_OPTIONS.map(({ flag, isRepeatable = false }) => [
        flag,
        { type: "string" as const, multiple: isRepeatable },
      ]),
    );
    const { values } = parseArgs({ args: [...args], options });
    const text = (flag: string) => (typeof values[flag] === "string" ? values[flag] : undefined);
    const toolNames = text("tool-names") ?? "auto";
    if (toolNames !== "auto" && toolNames !== "contract" && toolNames !== "safe") return undefined;
    const allowRoot = Array.isArray(values["allow-root"]) ? values["allow-root"].map(String) : undefined;
    return {
      root: text("root"),
      cacheRoot: text("cache-root"),
      allowRoot,
      tools: text("tools") ?? "auto",
      toolNames,
    };
  } catch {
    return undefined;
  }
}

export async function serveMcp(context: CliContext, options: McpFlags): Promise<number> {
  const { services, signal, cwd } = context;
  const { root = cwd, cacheRoot, allowRoot, tools: profile, toolNames: names } = options;
  const allowed = allowRoot === undefined ? undefined : allowedRoots(root, allowRoot);
  services.requireDirectory(root);
  requireParts();
  const open = async () => services.open({ root, cacheRoot, allowed });
  await services.serveMcp({ root, open }, signal, { profile, names });
  return OK;
}

/** `*` allows every directory; otherwise only the project and the named ones are allowed. */
export const allowedRoots = (root: string, named: readonly string[]): OpenOptions["allowed"] =>
  named.includes("*") ? undefined : [resolve(root), ...named.map((name) => resolve(name))];
