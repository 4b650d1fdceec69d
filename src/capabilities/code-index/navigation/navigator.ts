import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import { modulesOf } from "../../../core/parse/languages.ts";
import { directoryOf, type ModuleRules } from "../../../core/parse/references/modules.ts";
import type { ParsedImport } from "../../../core/parse/references/references.ts";
import type { CodeStore } from "../store/code-store.ts";
import { FileNames, type NamedDeclaration } from "./file-names.ts";
import { type NavigableFile, NavigationTree } from "./navigation-tree.ts";

/** A declaration with its file. */
export interface Definition extends NamedDeclaration {
  readonly file: NavigableFile;
}

const NamesRow = z.object({ content: z.instanceof(Uint8Array) });
const NOTHING = new FileNames(new Uint8Array());
/** Bytes of names that stay in memory; a million lines have about nine million. */
const MAX_BYTES = 24_000_000;
/** Names and packages that were looked up. */
const MAX_NAMES = 20_000;
/** How many modules may pass a name on. */
const MAX_PASSES = 6;

/** The names of one generation of an index: which file declares, imports and uses what. */
export class Navigator {
  readonly tree: NavigationTree;
  readonly #code: CodeStore;
  readonly #read = new Map<number, FileNames>();
  #bytes = 0;
  readonly #goPackages = new LruCache<readonly NavigableFile[]>(MAX_NAMES);
  readonly #byDirectory = new LruCache<readonly Definition[]>(MAX_NAMES);

  constructor(code: CodeStore) {
    this.#code = code;
    this.tree = new NavigationTree(code);
  }

  namesOf({ id }: NavigableFile): FileNames {
    const known = this.#read.get(id);
    if (known) return known;
    const row = this.#code.store.prepare("SELECT content FROM names WHERE id = ?").get(id);
    const content = row === undefined ? undefined : NamesRow.parse(row).content;
    const names = content === undefined ? NOTHING : new FileNames(content);
    this.#bytes += content?.length ?? 0;
    if (this.#bytes > MAX_BYTES) {
      this.#read.clear();
      this.#bytes = content?.length ?? 0;
    }
    this.#read.set(id, names);
    return names;
  }

  /** Files whose text has this word. */
  filesWith(word: string): readonly NavigableFile[] {
    return this.#filesOf(this.#code.index.documentsWith(withoutMark(word)));
  }

  /** All declarations of a name. */
  definitions(name: string): readonly Definition[] {
    return this.#filesOf(this.#code.index.documentsWith(withoutMark(name), true)).flatMap((file) =>
      this.namesOf(file)
        .declaredAs(name)
        .map((declared) => ({ ...declared, file })),
    );
  }

  /** Declarations at the top of a file, or of the whole directory if that is what the language looks at. */
  topLevel(file: NavigableFile, name: string): readonly Definition[] {
    const own = this.namesOf(file)
      .declaredAs(name)
      .filter(({ parent }) => parent === "")
      .map((declared) => ({ ...declared, file }));
    if (own.length > 0 || modulesOf(file.language)?.unit !== "directory") return own;
    return this.inDirectory(directoryOf(file.path), file.language, name);
  }

  inDirectory(directory: string, language: string, name: string): readonly Definition[] {
    return this.#declaredIn(directory, language, name).filter(({ parent }) => parent === "");
  }

  /** The members of a type that are declared in its file, or in its directory. */
  members(type: Definition, name: string): readonly Definition[] {
    const isMember = ({ parent }: NamedDeclaration) => parent === type.name;
    const own = this.namesOf(type.file)
      .declaredAs(name)
      .filter(isMember)
      .map((declared) => ({ ...declared, file: type.file }));
    if (own.length > 0 && modulesOf(type.file.language)?.unit !== "directory") return own;
    const directory = directoryOf(type.file.path);
    const beside = this.#declaredIn(directory, type.file.language, name).filter(isMember);
    return beside.length > 0 ? beside : own;
  }

  /** The files that an import means. */
  importedFiles({ from }: ParsedImport, importer: NavigableFile): readonly NavigableFile[] {
    if (from === "") return [importer];
    const rules = modulesOf(importer.language);
    return rules ? this.#moduleFiles(rules, from, importer) : [];
  }

  /** Whether a file imports another one, or belongs to the same package. */
  knows(file: NavigableFile, other: NavigableFile): boolean {
    if (file.id === other.id || directoryOf(file.path) === directoryOf(other.path)) return true;
    return this.namesOf(file).imports.some((one) =>
      this.importedFiles(one, file).some(({ id }) => id === other.id),
    );
  }

  #moduleFiles(rules: ModuleRules, from: string, importer: NavigableFile): readonly NavigableFile[] {
    // Every file of a Go project means the same package by an import path.
    if (importer.language !== "go") return this.#readModule(rules, from, importer);
    return this.#goPackages.of(from, () => this.#readModule(rules, from, importer));
  }

  #readModule(rules: ModuleRules, from: string, importer: NavigableFile): readonly NavigableFile[] {
    return rules.modulesOf(from, importer.path, this.tree).flatMap((path) => {
      const file = this.tree.fileAt(path);
      return file ? [file] : this.tree.filesIn(path).filter(({ language }) => language === importer.language);
    });
  }

  /** What others get if they import a name from these files. */
  exported(files: readonly NavigableFile[], name: string, passes = 0): readonly Definition[] {
    if (passes > MAX_PASSES) return [];
    const found = files.flatMap((file) => this.#exportedBy(file, name, passes));
    return [...new Map(found.map((one) => [`${one.file.id}:${one.startLine}:${one.name}`, one])).values()];
  }

  #exportedBy(file: NavigableFile, name: string, passes: number): readonly Definition[] {
    const names = this.namesOf(file);
    const own = names.declaredAs(name).filter(({ parent }) => parent === "");
    if (own.length > 0) return own.map((one) => ({ ...one, file }));
    const { imports } = names;
    for (const one of imports) {
      if (!one.isExport || one.local !== name || one.name === undefined) continue;
      if (one.from !== "") return this.exported(this.importedFiles(one, file), one.name, passes + 1);
      const local = this.topLevel(file, one.name);
      if (local.length > 0) return local;
      const passedOn = imports.find(({ local: known, from }) => known === one.name && from !== "");
      return passedOn?.name === undefined
        ? []
        : this.exported(this.importedFiles(passedOn, file), passedOn.name, passes + 1);
    }
    const all = imports.filter(
      ({ isExport, local, name: taken }) => isExport && local === "" && taken === "*",
    );
    return name === "default"
      ? []
      : all.flatMap((one) => this.exported(this.importedFiles(one, file), name, passes + 1));
  }

  #filesOf(documentIds: readonly string[]): readonly NavigableFile[] {
    return documentIds.flatMap((id) => this.tree.byId.get(Number(id)) ?? []);
  }

  /** What the files of a directory declare under a name. Reading all their names at once took longer. */
  #declaredIn(directory: string, language: string, name: string): readonly Definition[] {
    const key = `${language} ${name} ${directory}`;
    const known = this.#byDirectory.get(key);
    if (known) return known;
    const found = this.tree
      .filesIn(directory)
      .filter((file) => file.language === language)
      .flatMap((file) =>
        this.namesOf(file)
          .declaredAs(name)
          .map((declared) => ({ ...declared, file })),
      );
    this.#byDirectory.set(key, found);
    return found;
  }
}

/** The search index knows `#private` by its letters. */
const withoutMark = (name: string) => name.replace(/^#/, "");

const navigators = new WeakMap<CodeStore, { readonly generation: number; readonly navigator: Navigator }>();

/** One navigator for each generation: it reads the list of files once. */
export function navigatorOf(code: CodeStore): Navigator {
  const generation = code.index.generation();
  const known = navigators.get(code);
  if (known?.generation === generation) return known.navigator;
  const navigator = new Navigator(code);
  navigators.set(code, { generation, navigator });
  return navigator;
}
