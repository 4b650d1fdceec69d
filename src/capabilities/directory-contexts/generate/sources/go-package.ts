import { byCodeUnit } from "../../../../core/order.ts";
import type { Source } from "./sources.ts";

/** Tags that no build sets by itself: of generators, fuzzers and lists of tools. */
const SET_BY_NO_BUILD = /(?<!!)\b(ignore|gofuzz|tools|generate|never|none|exclude)\b/;

/** Go files that stand beside the package of their directory: never built with it, or of another package. */
export function apartFromPackage(sources: readonly Source[]): ReadonlySet<Source> {
  const go = sources.filter(({ parsed, isTest }) => parsed?.language === "go" && !isTest);
  const built = go.filter(({ parsed }) => !SET_BY_NO_BUILD.test(parsed?.build ?? ""));
  // Where nothing is built, those files are all there is.
  const own = packageOf(built.length > 0 ? built : go);
  const isOwn = ({ parsed }: Source) => parsed?.packageName === own;
  return new Set(go.filter((source) => !isOwn(source) || (built.length > 0 && !built.includes(source))));
}

/** The name most files give; a library before a program. */
function packageOf(files: readonly Source[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { parsed } of files) {
    if (parsed?.packageName) counts.set(parsed.packageName, (counts.get(parsed.packageName) ?? 0) + 1);
  }
  const isProgram = (name: string) => Number(name === "main");
  return [...counts]
    .sort(([a, most], [b, more]) => more - most || isProgram(a) - isProgram(b) || byCodeUnit(a, b))
    .at(0)?.[0];
}
