import { dirname } from "node:path/posix";
import type { Contexts } from "../contexts.ts";
import { parentOf } from "./scan-directories.ts";

export interface DirectorySummary {
  readonly scope: string;
  readonly summary: string;
  readonly state: "fresh" | "stale";
  /** For a stale one: whether its files differ from when it was written; absent where git cannot tell. */
  readonly contentChanged?: boolean;
}

/** The contexts of the directories between the root and each of these files, root first, each once. */
export async function summariesOnTheWay(
  contexts: Contexts,
  files: readonly string[],
  { path, signal }: { readonly path?: string | undefined; readonly signal: AbortSignal },
): Promise<DirectorySummary[]> {
  const scopes = new Set(["."]);
  for (const file of files) {
    for (let scope = dirname(file); !scopes.has(scope) && scope !== "/"; scope = parentOf(scope))
      scopes.add(scope);
  }
  const found: DirectorySummary[] = [];
  for (const scope of [...scopes].sort()) {
    const answer = await contexts.query(scope, ["summary"], path);
    const summary = answer.context?.["summary"];
    if (typeof summary !== "string") continue;
    const { state, content_changed } = await contexts.check(scope, path, signal);
    if (state === "missing") continue;
    found.push({
      scope,
      summary,
      state,
      ...(content_changed !== undefined && { contentChanged: content_changed }),
    });
  }
  return found;
}
