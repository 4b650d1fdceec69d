import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { CodeStore } from "../store/code-store.ts";
import { symbolAt } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import type { NavigableFile } from "./navigation-tree.ts";
import { type Definition, type Navigator, navigatorOf } from "./navigator.ts";
import { Resolver } from "./resolve.ts";
import type { FoundSymbol, SymbolOutput } from "./schemas.ts";
import { isTestPath } from "./test-code.ts";

/** What is asked for: a name, and the part of the project to look in. */
export interface SymbolQuestion {
  readonly symbol: string;
  /** A directory or file, relative to the project; empty for all of it. */
  readonly part: string;
}
const MAX_CANDIDATES = 30;
/** Longer than the path and name of any symbol. */
const MAX_SYMBOL = 1_000;
const MAX_SOURCE_LINES = 150;

/** Declarations by name, by `Type.method` or by `path:line`. Tests come last. */
export function findDefinitions(code: CodeStore, { symbol, part }: SymbolQuestion): readonly Definition[] {
  if (symbol.length > MAX_SYMBOL) throw tooLong();
  const navigator = navigatorOf(code);
  const place = /^(.+?):(\d+)(?::\d+)?(?:-\d+)?$/.exec(symbol.trim());
  if (place) return definitionsAt(code, place[1] ?? "", Number(place[2]));
  const parts = symbol
    .trim()
    .replace(/\(.*\)?$/, "")
    .split(/\.|::|#|->|\//)
    .filter(Boolean);
  const name = parts.at(-1) ?? "";
  const owner = parts.at(-2);
  const isWanted = ({ file, parent }: Definition) =>
    isIn(file.path, part) &&
    (owner === undefined || parent === owner || (parent === "" && isModule(file, owner)));
  const found = navigator.definitions(name).filter(isWanted);
  const all = found.length > 0 ? found : sameLetters(navigator, name).filter(isWanted);
  return [...all].sort(
    (a, b) =>
      Number(isTestPath(a.file.path)) - Number(isTestPath(b.file.path)) ||
      byCodeUnit(a.file.path, b.file.path) ||
      a.startLine - b.startLine,
  );
}

const tooLong = () =>
  new DomainError("invalid_input", `A symbol has at most ${MAX_SYMBOL} characters.`, {
    details: { param: "symbol" },
  });

/** The whole definition, or the candidates. */
export function findSymbol(code: CodeStore, question: SymbolQuestion): Omit<SymbolOutput, "files_changed"> {
  const definitions = findDefinitions(code, question);
  const [first] = definitions;
  const isOnly = definitions.length === 1 && first !== undefined;
  return {
    symbol: question.symbol,
    definitions: definitions.slice(0, MAX_CANDIDATES).map((one) => foundSymbol(code, one)),
    total: definitions.length,
    ...(isOnly && { source: sourceOf(code, first) }),
  };
}

/** A declaration as answers show it. */
export function foundSymbol(code: CodeStore, definition: Definition): FoundSymbol {
  const { file, name, kind, parent, startLine, endLine, exported } = definition;
  const symbol = symbolAt(code, file.id, definition);
  return {
    name,
    kind,
    ...(parent !== "" && { parent }),
    path: file.path,
    line: startLine,
    end_line: endLine,
    signature: symbol?.signature ?? name,
    doc: symbol?.doc ?? "",
    exported,
  };
}

/** The innermost function, type or value around a line. */
export function definitionAround(
  navigator: Navigator,
  file: NavigableFile,
  line: number,
): Definition | undefined {
  const { value: innermost } = navigator.namesOf(file).around(line).next();
  return innermost && { ...innermost, file };
}

export const isIn = (path: string, part: string): boolean =>
  part === "" || path === part || path.startsWith(`${part}/`);

/** `path:line` is a declaration that begins there, something that is used there, or what stands around it. */
function definitionsAt(code: CodeStore, path: string, line: number): readonly Definition[] {
  const navigator = navigatorOf(code);
  const file =
    navigator.tree.fileAt(path) ?? [...navigator.tree.files].find((one) => one.path.endsWith(`/${path}`));
  if (!file) return [];
  const around = definitionAround(navigator, file, line);
  if (around?.startLine === line) return [around];
  const resolver = new Resolver(code);
  const used = [...navigator.namesOf(file).all()]
    .filter((reference) => reference.line === line)
    .map((reference) => resolver.resolve(file, reference))
    .flatMap((found) => (found.state === "found" ? found.definitions : []));
  const distinct = [
    ...new Map(used.map((one) => [`${one.file.id}:${one.startLine}:${one.name}`, one])).values(),
  ];
  return distinct.length > 0 ? distinct : around ? [around] : [];
}

/** A function may be asked for with its package, directory or file. */
function isModule({ path, package: packageName }: NavigableFile, owner: string): boolean {
  const parts = path.replace(/\.[^./]+$/, "").split("/");
  return packageName === owner || parts.at(-1) === owner || parts.at(-2) === owner;
}

/** `getuser` finds `GetUser`, if nothing has exactly the name. */
function sameLetters(navigator: Navigator, name: string): Definition[] {
  const plain = (text: string) => text.replace(/[_$-]/g, "").toLowerCase();
  return navigator.filesWith(name).flatMap((file) =>
    navigator
      .namesOf(file)
      .declared.filter((declared) => plain(declared.name) === plain(name))
      .map((declared) => ({ ...declared, file })),
  );
}

function sourceOf(code: CodeStore, { file, startLine, endLine }: Definition): string {
  const to = Math.min(endLine, startLine + MAX_SOURCE_LINES - 1);
  const lines = readLines(code.store, file, startLine, to);
  return [...lines, ...(to < endLine ? [`… ${file.path}:${to + 1}-${endLine}`] : [])].join("\n");
}
