import { byCodeUnit } from "../../../core/order.ts";
import type { CodeStore } from "../store/code-store.ts";
import { foundSymbol, isIn } from "./find-symbol.ts";
import type { Definition } from "./navigator.ts";
import { ReferenceFinder } from "./references.ts";
import type { UnusedOutput } from "./schemas.ts";
import { TestCode } from "./test-code.ts";

const KINDS = new Set([
  "function",
  "method",
  "class",
  "struct",
  "interface",
  "type",
  "enum",
  "const",
  "var",
  "macro",
]);
/** Called by the language or by a test runner, not by code. */
const CALLED_BY_NAME =
  /^(?:main|init|constructor|default|setUp|tearDown|(?:Test|Benchmark|Example|Fuzz)\w*|test_\w*|__\w+__|_)$/;
/** A name that is used this often is used. */
const MAX_USES = 12;
const ORDER = ["sure", "probable", "exported"] as const;

type UnusedConfidence = (typeof ORDER)[number];

/**
 * Declarations that nothing in the project uses. `sure`: the name stands nowhere else. `probable`: it does, but means
 * something else, or a member may be called by a name at run time. `exported`: other projects may use it.
 */
export function findUnused(
  code: CodeStore,
  part: string,
  limit: number,
): Omit<UnusedOutput, "files_changed"> {
  const finder = new ReferenceFinder(code);
  const tests = new TestCode(code);
  const uses = new Map<string, number>();
  for (const file of finder.navigator.tree.files)
    for (const { name } of finder.navigator.namesOf(file).all()) uses.set(name, (uses.get(name) ?? 0) + 1);
  const found = [...finder.navigator.tree.files]
    .filter(({ path }) => isIn(path, part))
    .flatMap((file) => finder.navigator.namesOf(file).declared.map((declared) => ({ ...declared, file })))
    .filter(({ file, startLine }) => !tests.has(file, startLine))
    .flatMap((definition) => {
      const confidence = whyUnused(finder, definition, uses.get(definition.name) ?? 0);
      return confidence ? [[definition, confidence] as const] : [];
    });
  found.sort(
    ([a, x], [b, y]) =>
      ORDER.indexOf(x) - ORDER.indexOf(y) ||
      byCodeUnit(a.file.path, b.file.path) ||
      a.startLine - b.startLine,
  );
  return {
    definitions: found
      .slice(0, limit)
      .map(([one, confidence]) => ({ ...foundSymbol(code, one), confidence })),
    total: found.length,
  };
}

/** `undefined` if it is used. */
function whyUnused(
  finder: ReferenceFinder,
  definition: Definition,
  count: number,
): UnusedConfidence | undefined {
  const { kind, name, parent, exported } = definition;
  if (!KINDS.has(kind) || CALLED_BY_NAME.test(name) || count > MAX_USES) return undefined;
  if (count > 0 && finder.find(definition).length > 0) return undefined;
  if (exported) return "exported";
  return count === 0 && parent === "" ? "sure" : "probable";
}
