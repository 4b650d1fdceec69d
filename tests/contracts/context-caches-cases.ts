import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openContextCaches } from "../../src/capabilities/context-caches/index.ts";
import { asDomainError } from "../../src/core/errors.ts";
import type { Machine } from "../../src/core/machine.ts";
import { commandsOf, invoke, invokeView } from "../../src/core/tool.ts";
import { testCall, testMachine } from "../support/machine.ts";

export const GOLDEN = join(import.meta.dirname, "golden", "context-caches");
export const golden = (path: string): string => readFileSync(join(GOLDEN, path), "utf8");

/** Writes documents by path and content. */
export function writeTree(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** The bytes of every file below a directory, by path. */
export const readTree = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(root.length + 1), readFileSync(file, "latin1")] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The room's tools by name, or its commands as `caches WORDS`: the answer as JSON text, or the contract's code and message. */
export function cachesAt(root: string, overrides: Partial<Machine> = {}) {
  const { tools } = openContextCaches(
    testMachine(root, { home: join(root, ".contextful-home"), ...overrides }),
  );
  const commands = tools.flatMap((tool) => commandsOf(tool).map((view) => ({ tool, view })));
  return async (name: string, input: unknown): Promise<string> => {
    const command = commands.find(({ view }) => `caches ${view.words}` === name);
    const tool = command?.tool ?? tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    try {
      const output = command
        ? (await invokeView({ ...command, context: { root } }, input, testCall({ caller: "person" }))).output
        : await invoke(tool, input, testCall());
      return tool.json?.(output) ?? JSON.stringify(output);
    } catch (thrown) {
      const { reason, message, next } = asDomainError(thrown);
      return JSON.stringify({ error: { code: reason ?? "internal", message }, next });
    }
  };
}

const ResolveCase = z.object({
  name: z.string(),
  note: z.string(),
  documents: z.array(z.object({ id: z.string(), content: z.string() })),
  cache_version: z.string(),
  query: z.string(),
  budget: z.int(),
  expected_stdout: z.string(),
  expected_if_terms_deduplicated: z.string().optional(),
});
export const RESOLVE_CASES = z.array(ResolveCase).parse(JSON.parse(golden("extra/resolve_cases.json")));
