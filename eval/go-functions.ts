import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnit } from "../src/core/order.ts";

export interface GoFunction {
  readonly path: string;
  readonly name: string;
  /** The receiver's type, of a method. */
  readonly receiver: string;
  readonly doc: string;
  readonly signature: string;
  readonly body: string;
}

/** The functions of a Go tree with their doc comments, by a scan of lines: gofmt's layout is reliable enough for that. */
export function goFunctions(root: string): GoFunction[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter(
      (file) => file.endsWith(".go") && !file.endsWith("_test.go") && !/(^|\/)(testdata|vendor)\//.test(file),
    )
    .sort(byCodeUnit);
  return files.flatMap((file) => functionsIn(root, file));
}

/** Debian's Go sources, the newest there are. */
export function defaultGoTree(): string | undefined {
  const found = readdirSync("/usr/share", { withFileTypes: true })
    .filter((entry) => /^go-\d/.test(entry.name))
    .map((entry) => join("/usr/share", entry.name, "src"))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory());
  return found.sort(byCodeUnit).at(-1);
}

function functionsIn(root: string, path: string): GoFunction[] {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const found: GoFunction[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const head = /^func (?:\((?:\w+ )?\*?(\w+)[^)]*\) )?(\w+)/.exec(line);
    if (!head) continue;
    let first = at;
    while (first > 0 && /^\/\//.test(lines[first - 1] ?? "")) first--;
    let end = at;
    if (line.endsWith("{")) while (end + 1 < lines.length && lines[end] !== "}") end++;
    found.push({
      path,
      name: head[2] ?? "",
      receiver: head[1] ?? "",
      doc: docOf(lines.slice(first, at)),
      signature: line.replace(/\s*\{$/, ""),
      body: lines.slice(at, end + 1).join("\n"),
    });
    at = end;
  }
  return found;
}

const docOf = (lines: readonly string[]): string =>
  lines
    .filter((line) => !/^\/\/(go:|line |export )/.test(line))
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n")
    .trim();
