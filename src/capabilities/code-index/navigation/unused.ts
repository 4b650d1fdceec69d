import { byCodeUnit } from "../../../core/order.ts";
import { isTest } from "../scan/discover.ts";
import type { CodeStore } from "../store/code-store.ts";
import { foundSymbol, isIn } from "./find-symbol.ts";
import { type Definition, navigatorOf } from "./navigator.ts";
import { ReferenceFinder } from "./references.ts";
import type { UnusedOutput } from "./schemas.ts";

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
  const navigator = navigatorOf(code);
  const finder = new ReferenceFinder(code);
  const uses = new Map<string, number>();
  for (const file of navigator.tree.files)
    for (const { name } of navigator.namesOf(file).all()) uses.set(name, (uses.get(name) ?? 0) + 1);
  const found: (readonly [Definition, UnusedConfidence])[] = [];
  for (const file of navigator.tree.files) {
    if (!isIn(file.path, part) || isTest(file.path)) continue;
    for (const declared of navigator.namesOf(file).declared) {
      if (!KINDS.has(declared.kind) || CALLED_BY_NAME.test(declared.name)) continue;
      const count = uses.get(declared.name) ?? 0;
      const definition = { ...declared, file };
      if (count > MAX_USES || (count > 0 && finder.find(definition).length > 0)) continue;
      const isSure = count === 0 && declared.parent === "";
      found.push([definition, declared.exported ? "exported" : isSure ? "sure" : "probable"]);
    }
  }
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
