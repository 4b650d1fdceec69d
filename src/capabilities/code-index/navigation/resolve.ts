import { modulesOf } from "../../../core/parse/languages.ts";
import type { ParsedReference } from "../../../core/parse/references/references.ts";
import type { CodeStore } from "../store/code-store.ts";
import { symbolAt } from "../store/stored-chunks.ts";
import type { NavigableFile } from "./navigation-tree.ts";
import { type Definition, type Navigator, navigatorOf } from "./navigator.ts";

/** What a name stands for. `outside`: something that is not in the project. `unknown`: the files do not tell. */
type NameResolution =
  | { readonly state: "found"; readonly definitions: readonly Definition[] }
  | { readonly state: "module"; readonly files: readonly NavigableFile[] }
  | { readonly state: "outside" | "unknown" };

const OUTSIDE: NameResolution = { state: "outside" };
const UNKNOWN: NameResolution = { state: "unknown" };
const TYPE_KINDS = new Set(["class", "struct", "interface", "enum", "type", "module", "object", "trait"]);
const CALLABLE_KINDS = new Set(["function", "method", "macro"]);
/** Base types, and types of values, are followed this far. */
const MAX_DEPTH = 8;
/** The names of base types stand in the first lines of a class. */
const HEAD_LINES = 12;

/** Finds what names stand for, by imports, packages and types as far as the files tell. */
export class Resolver {
  readonly #code: CodeStore;
  readonly #navigator: Navigator;
  readonly #known = new Map<string, NameResolution>();

  constructor(code: CodeStore) {
    this.#code = code;
    this.#navigator = navigatorOf(code);
  }

  /** What a reference means. The same name on the same path means the same in one file. */
  resolve(file: NavigableFile, { name, on, line, kind }: ParsedReference): NameResolution {
    if (kind === "import") return this.#imported(file, name);
    const isValue = on === undefined && kind !== "type" && kind !== "inherit" && kind !== "annotation";
    const isImplicit = isValue && modulesOf(file.language)?.hasImplicitThis === true;
    const key = `${file.id}\0${name}\0${on ?? ""}\0${on === undefined ? "" : "."}${isImplicit ? this.#classAt(file, line) : ""}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found =
      on === undefined ? this.#bare(file, name, isImplicit ? line : undefined) : this.#member(file, name, on);
    this.#known.set(key, found);
    return found;
  }

  /** A name in an import statement: that of the other module, or the new one. */
  #imported(file: NavigableFile, name: string): NameResolution {
    const { imports } = this.#navigator.namesOf(file);
    const renamed = imports.find((one) => one.name === name && one.from !== "" && one.local !== name);
    if (!renamed) return this.#bare(file, name, undefined);
    const definitions = this.#navigator.exported(this.#navigator.importedFiles(renamed, file), name);
    return definitions.length > 0 ? { state: "found", definitions } : this.#bare(file, name, undefined);
  }

  #member(file: NavigableFile, name: string, on: string): NameResolution {
    return on === "?" ? UNKNOWN : this.#memberOf(this.#path(file, on, 0), name, 0);
  }

  #bare(file: NavigableFile, name: string, line: number | undefined): NameResolution {
    const inherited = line === undefined ? UNKNOWN : this.#implicitMember(file, name, line);
    if (inherited.state === "found") return inherited;
    // `const { open } = require("./store")` declares a variable, but means what it imports.
    const imported = this.#fromImports(file, name);
    if (imported?.state === "found" || imported?.state === "module") return imported;
    const own = this.#navigator
      .namesOf(file)
      .declaredAs(name)
      .filter(({ parent }) => parent === "");
    if (own.length > 0) return { state: "found", definitions: own.map((one) => ({ ...one, file })) };
    if (imported) return imported;
    const beside = this.#navigator.topLevel(file, name);
    if (beside.length > 0) return { state: "found", definitions: beside };
    return this.#fromStarImports(file, name);
  }

  #fromImports(file: NavigableFile, name: string): NameResolution | undefined {
    const one = this.#navigator
      .namesOf(file)
      .imports.find(({ local, from }) => local === name && from !== "");
    if (!one) return undefined;
    const files = this.#navigator.importedFiles(one, file);
    if (files.length === 0) return this.#submodule(file, one.from, one.name) ?? OUTSIDE;
    if (one.name === undefined) return { state: "module", files };
    const definitions = this.#navigator.exported(files, one.name);
    if (definitions.length > 0) return { state: "found", definitions };
    // `require` gives the whole module if it has no other value.
    if (one.name === "default") return { state: "module", files };
    return this.#submodule(file, one.from, one.name) ?? UNKNOWN;
  }

  /** `from package import module`, and `use crate::module`. */
  #submodule(file: NavigableFile, from: string, name: string | undefined): NameResolution | undefined {
    if (name === undefined) return undefined;
    const separator = file.language === "rust" ? "::" : from === "" || from.endsWith(".") ? "" : ".";
    const files = this.#navigator.importedFiles({ local: name, from: `${from}${separator}${name}` }, file);
    return files.length === 0 ? undefined : { state: "module", files };
  }

  #fromStarImports(file: NavigableFile, name: string): NameResolution {
    for (const one of this.#navigator.namesOf(file).imports) {
      if (one.local !== "" || one.name !== "*") continue;
      const definitions = this.#navigator.exported(this.#navigator.importedFiles(one, file), name);
      if (definitions.length > 0) return { state: "found", definitions };
    }
    return UNKNOWN;
  }

  /** A method or field of the class around a line. */
  #implicitMember(file: NavigableFile, name: string, line: number): NameResolution {
    for (const type of this.#navigator.namesOf(file).around(line)) {
      if (!TYPE_KINDS.has(type.kind)) continue;
      const found = this.#typeMember({ ...type, file }, name, 0);
      if (found.length > 0) return { state: "found", definitions: found };
    }
    return UNKNOWN;
  }

  #classAt(file: NavigableFile, line: number): number {
    for (const { kind, startLine } of this.#navigator.namesOf(file).around(line))
      if (TYPE_KINDS.has(kind)) return startLine;
    return 0;
  }

  /** What a path such as `pkg.New().client` stands for: a module, or the type of a value. */
  #path(file: NavigableFile, path: string, depth: number): NameResolution {
    if (depth > MAX_DEPTH) return UNKNOWN;
    const key = `${file.id}\0\0${path}`;
    const known = this.#known.get(key);
    if (known) return known;
    this.#known.set(key, UNKNOWN);
    const [first = "", ...rest] = path.split(".");
    let found = this.#valueOf(this.#bare(file, withoutCall(first), undefined), first, depth);
    for (const part of rest)
      found = this.#valueOf(this.#memberOf(found, withoutCall(part), depth), part, depth);
    this.#known.set(key, found);
    return found;
  }

  /** A type stands for its values; a variable, and a function that is called, for the type of their value. */
  #valueOf(found: NameResolution, part: string, depth: number): NameResolution {
    if (found.state !== "found") return found;
    const types = found.definitions.filter(({ kind }) => TYPE_KINDS.has(kind));
    if (types.length > 0) return { state: "found", definitions: types };
    const [definition] = found.definitions;
    if (!definition || CALLABLE_KINDS.has(definition.kind) !== part.endsWith("()")) return UNKNOWN;
    const type = modulesOf(definition.file.language)?.typeOf(this.#signatureOf(definition));
    if (type === undefined) return UNKNOWN;
    const owner = type === "Self" || type === "self" ? definition.parent : type;
    return this.#path(definition.file, owner, depth + 1);
  }

  #memberOf(holder: NameResolution, name: string, depth: number): NameResolution {
    if (holder.state === "module") {
      const definitions = this.#navigator.exported(holder.files, name);
      if (definitions.length > 0) return { state: "found", definitions };
      const [file] = holder.files;
      return (file && this.#moduleBelow(file, name)) ?? UNKNOWN;
    }
    if (holder.state !== "found") return holder;
    const members = holder.definitions.flatMap((type) => this.#typeMember(type, name, depth));
    return members.length > 0 ? { state: "found", definitions: members } : UNKNOWN;
  }

  /** A module in the directory of a package. */
  #moduleBelow(file: NavigableFile, name: string): NameResolution | undefined {
    if (!file.path.endsWith("__init__.py")) return undefined;
    return this.#submodule(file, ".", name);
  }

  #typeMember(type: Definition, name: string, depth: number): readonly Definition[] {
    if (depth > MAX_DEPTH) return [];
    const own = this.#navigator.members(type, name);
    if (own.length > 0) return own;
    const isGo = type.file.language === "go";
    const end = isGo ? type.endLine : Math.min(type.endLine, type.startLine + HEAD_LINES);
    for (const base of this.#basesIn(type.file, type.startLine, end)) {
      const found = this.#memberOf(this.resolve(type.file, base), name, depth + 1);
      if (found.state === "found") return found.definitions;
    }
    return [];
  }

  #basesIn(file: NavigableFile, from: number, to: number): readonly ParsedReference[] {
    const known = this.#bases.get(file.id) ?? [
      ...[...this.#navigator.namesOf(file).all()].filter(({ kind }) => kind === "inherit"),
    ];
    this.#bases.set(file.id, known);
    return known.filter(({ line }) => line >= from && line <= to);
  }
  readonly #bases = new Map<number, readonly ParsedReference[]>();

  #signatureOf(definition: Definition): string {
    return symbolAt(this.#code, definition.file.id, definition)?.signature ?? "";
  }
}

const withoutCall = (part: string) => (part.endsWith("()") ? part.slice(0, -2) : part);
