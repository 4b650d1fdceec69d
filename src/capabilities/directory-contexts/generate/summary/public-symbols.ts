import type { ExportedName, LanguageId, ParsedFile, ParsedSymbol } from "../../../../core/parse/parse.ts";
import { stemOf } from "../../read/source-files.ts";
import type { SourceFile } from "../sources/sources.ts";
import { compactSignature } from "./compact-signature.ts";

/** What a source file exports, under the exported names. Tests, tool configuration and private modules export nothing. */
export const publicSymbols = (source: SourceFile): readonly ParsedSymbol[] =>
  source.parsed && isPublicFile(source) ? exportedSymbols(source, source.parsed) : [];

const isPublicFile = ({ name, isTest, isOutsidePackage }: SourceFile) =>
  !isTest &&
  !isOutsidePackage &&
  !/\.config\.[cm]?[jt]s$|^\.|^_(?!_init__).*\.pyi?$|^(conf|setup|noxfile)\.py$/.test(name);

/** The entry file of a directory: its exports are the directory's public interface. */
export const isEntryFile = ({ name }: SourceFile): boolean =>
  /^(index\.[cm]?[jt]sx?|__init__\.pyi?|(lib|mod)\.rs|mod\.[cm]?[jt]s)$/.test(name);

/** Selectors, targets and the like are not imported by anybody. */
const NOT_EXPORTED = new Set(["rule", "target", "resource", "key", "heading", "field"]);
/** Languages whose files put everything into a module: what is in the module is what the file offers. */
const IN_MODULES: ReadonlySet<LanguageId> = new Set(["ruby", "elixir"]);

/** Exported symbols that are not members of other symbols. */
function exportedSymbols(
  { name: file }: SourceFile,
  { language, symbols, exports = [] }: ParsedFile,
): readonly ParsedSymbol[] {
  const modules = new Set(
    IN_MODULES.has(language) ? symbols.flatMap(({ kind, name }) => (kind === "module" ? [name] : [])) : [],
  );
  const exported = symbols.filter(
    ({ exported, parent, kind }) =>
      exported && (parent === undefined || modules.has(parent)) && !NOT_EXPORTED.has(kind),
  );
  const named = exported
    .flatMap(byExportedNames)
    .filter(({ name }) => isIdentifier(name))
    .flatMap((symbol) => (isDefault(symbol) ? nameAfterFile(file, symbol) : [symbol]));
  const declarations = named.filter((symbol) => !isAssignment(symbol));
  const known = new Set([...declarations, ...exports].map(({ name }) => name));
  return named.filter((symbol) => !isAssignment(symbol) || !known.has(symbol.name));
}

/** Export names may also be strings, which are not identifiers. A leading underscore marks a private name. */
const isIdentifier = (name: string) => /^(?!_(?!default))[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);

/** Compilers write `default_1` in declaration files. */
const isDefault = ({ name }: ParsedSymbol) => /^_?default(_\d+)?$/.test(name);

/** A default export without a name gets the name of its file; values are left out. */
function nameAfterFile(file: string, symbol: ParsedSymbol): readonly ParsedSymbol[] {
  const stem = stemOf(file);
  if (/^(const|var)$/.test(symbol.kind) || !isMeaningfulStem(stem)) return [];
  return [symbol.name === "default" ? { ...symbol, name: stem } : renamed(symbol, stem)];
}

const isMeaningfulStem = (stem: string) => /^[\w$-]+$/.test(stem) && !/^(index|mod|main|default)$/.test(stem);

/** `exports.a = b` says less than the declaration or the origin of `b`. */
const isAssignment = ({ signature }: ParsedSymbol) => /^(?:module\.)?exports\b/.test(signature);

function byExportedNames(symbol: ParsedSymbol): readonly ParsedSymbol[] {
  const names = (symbol.exportedAs ?? []).map((name) => (name === "default" ? symbol.name : name));
  return names.length === 0 ? [symbol] : [...new Set(names)].map((name) => renamed(symbol, name));
}

function renamed(symbol: ParsedSymbol, name: string): ParsedSymbol {
  const words = symbol.signature.split(/(?<![\w$])(?=[\w$])|(?<=[\w$])(?![\w$])/);
  const at = words.indexOf(symbol.name);
  return { ...symbol, name, signature: at < 0 ? symbol.signature : words.with(at, name).join("") };
}

/** A name that a file exports but does not declare. */
interface ReExport {
  readonly line: number;
  /** The module it comes from, if any. */
  readonly from?: string | undefined;
  /** Absent for `export *`. */
  readonly name?: string;
  readonly signature: string;
  /** Its declaration, if it is in a file of the same directory. */
  readonly symbol?: ParsedSymbol;
}

/** What a file re-exports: with its signature if a file of the same directory declares it, else with its module. */
export function reExportsOf(source: SourceFile, beside: readonly SourceFile[]): readonly ReExport[] {
  const { parsed, name } = source;
  // Every Python file imports; only `__init__` files re-export by that.
  if (!parsed || !isPublicFile(source) || (parsed.language === "python" && !/^__init__\./.test(name)))
    return [];
  const known = new Map<string | undefined, readonly ParsedSymbol[] | undefined>();
  // Each module is read once: an index may re-export thousands of names from one.
  const declaredIn = (from: string | undefined) => {
    if (known.has(from)) return known.get(from);
    const module = siblingModule(parsed.language, from, beside);
    const symbols = module?.parsed && exportedSymbols(module, module.parsed);
    known.set(from, symbols);
    return symbols;
  };
  return (parsed.exports ?? [])
    .filter(({ from }) => !isFromOutside(parsed.language, from))
    .flatMap((exported) =>
      resolveReExport(exported, declaredIn(exported.from)).map((each) => ({ ...each, from: exported.from })),
    );
}

/** Whether a module is outside of the directory: what it declares is not the directory's own. */
function isFromOutside(language: LanguageId, from: string | undefined): boolean {
  if (from === undefined) return false;
  if (language === "python") return !/^\.(?!\.)/.test(from);
  if (language === "rust") return /^(crate|super|std|core|alloc)\b/.test(from);
  return !/^\.\/|^\.$/.test(from);
}

/** `declared`: the exports of the origin, if that is a file of the same directory. */
function resolveReExport(
  exported: ExportedName,
  declared: readonly ParsedSymbol[] | undefined,
): readonly ReExport[] {
  const { name, from, line, signature } = exported;
  const isAll = name === "*";
  const symbols = declared?.filter((symbol) => isAll || isReExported(symbol, exported)) ?? [];
  // What a sibling file re-exports is found when that file is described.
  if (symbols.length > 0 || (declared && isAll)) {
    return symbols
      .map((symbol) => (isAll || name === "default" ? symbol : renamed(symbol, name)))
      .map((symbol) => ({ line, name: symbol.name, signature: compactSignature(symbol), symbol }));
  }
  if (signature !== undefined)
    return [{ line, name, signature: compactSignature({ name, signature, kind: "function" }) }];
  if (isAll) return from === undefined ? [] : [{ line, signature: `* from ${from}` }];
  const known = name === "default" ? defaultName(exported) : isIdentifier(name) ? name : undefined;
  if (known === undefined) return [];
  return [{ line, name: known, signature: from === undefined ? known : `${known} from ${from}` }];
}

/** A re-exported default gets its own name, or that of its module. */
function defaultName({ declared = "", from = "" }: ExportedName): string | undefined {
  if (declared !== "default") return isIdentifier(declared) ? declared : undefined;
  const stem = stemOf(from.replace(/^.*\//, ""));
  return isMeaningfulStem(stem) ? stem : undefined;
}

const isReExported = ({ name, exportedAs, signature }: ParsedSymbol, { declared }: ExportedName) =>
  declared === "default"
    ? exportedAs?.includes("default") === true || /^export\s+default\b/.test(signature)
    : name === declared;

/** The file of the same directory that a module name means. */
function siblingModule(
  language: LanguageId,
  from: string | undefined,
  beside: readonly SourceFile[],
): SourceFile | undefined {
  const written = language === "python" ? /^\.(\w+)$/ : language === "rust" ? /^(?:self::)?(\w+)$/ : SCRIPT;
  const stem = written.exec(from ?? "")?.[1];
  if (stem === undefined) return undefined;
  return beside.find(({ name, parsed }) => parsed && stemOf(name) === stem);
}

const SCRIPT = /^\.\/([^/]+?)(?:\.[cm]?[jt]sx?)?$/;
