import { byCodeUnit } from "../../../core/order.ts";
import { modulesOf } from "../../../core/parse/languages.ts";
import { directoryOf } from "../../../core/parse/references/modules.ts";
import type { ParsedReference } from "../../../core/parse/references/references.ts";
import type { CodeStore } from "../store/code-store.ts";
import type { NavigableFile } from "./navigation-tree.ts";
import { type Definition, type Navigator, navigatorOf } from "./navigator.ts";
import { Resolver } from "./resolve.ts";
import { CONFIDENCES, type Confidence } from "./schemas.ts";

export interface FoundReference extends ParsedReference {
  readonly file: NavigableFile;
  readonly confidence: Confidence;
}

/** Languages whose files use each other's names. */
const FAMILIES: Readonly<Record<string, string>> = {
  ...{ typescript: "script", tsx: "script", javascript: "script", vue: "script", svelte: "script" },
  ...{ c: "c", cpp: "c", "objective-c": "c" },
  ...{ java: "jvm", kotlin: "jvm", scala: "jvm" },
};
const CALLABLE_KINDS = new Set(["function", "method", "macro"]);
const MANY_FILES = 100;
/** To look through so many is quicker than to make a set of them. */
const FEW = 8;
const familyOf = ({ language }: NavigableFile) => FAMILIES[language] ?? language;

/** The uses of a declaration: sure ones first, then in the order of the files. */
export class ReferenceFinder {
  readonly navigator: Navigator;
  readonly resolver: Resolver;
  readonly #sameName = new Map<string, readonly Definition[]>();
  readonly #distinct = new Map<string, boolean>();

  constructor(code: CodeStore) {
    this.navigator = navigatorOf(code);
    this.resolver = new Resolver(code);
  }

  /** `isNearOnly`: of a name that very many files have, only the files that import the definition's module are read. */
  find(definition: Definition, { isNearOnly = false } = {}): FoundReference[] {
    const found = this.#candidates(definition, isNearOnly).flatMap(([file, references]) =>
      references.flatMap((reference) => {
        const confidence = this.confidence(file, reference, definition);
        // Another name is a use only if its import says so.
        const isUse = confidence === "resolved" || (confidence && reference.name === definition.name);
        return isUse ? [{ ...reference, file, confidence }] : [];
      }),
    );
    return found.sort(
      (a, b) =>
        CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
        byCodeUnit(a.file.path, b.file.path) ||
        a.line - b.line ||
        a.column - b.column,
    );
  }

  /** How sure it is that a reference means a declaration; `undefined` if it does not. */
  confidence(
    file: NavigableFile,
    reference: ParsedReference,
    definition: Definition,
  ): Confidence | undefined {
    if (familyOf(file) !== familyOf(definition.file)) return undefined;
    const rules = modulesOf(file.language);
    if (!rules) return this.#byName(file, definition);
    const found = this.resolver.resolve(file, reference);
    if (found.state === "found") return this.#isAmong(found.definitions, definition) ? "resolved" : undefined;
    if (found.state !== "unknown") return undefined;
    const isMember = definition.parent !== "";
    if (reference.on === undefined) return isMember && !rules.hasImplicitThis ? undefined : "name only";
    if (!isMember && file.language === "go") return undefined;
    // A method that is not called is a field of something else.
    const isFitting = isMember && CALLABLE_KINDS.has(definition.kind) === (reference.kind === "call");
    const isKnown = isFitting && this.navigator.knows(file, definition.file);
    return isKnown && this.#isDistinct(definition) ? "probable" : "name only";
  }

  /** The only member of its name, and mostly written where its module is known: `toString` is a name of many things. */
  #isDistinct(definition: Definition): boolean {
    const key = `${definition.file.id} ${definition.parent} ${definition.name}`;
    const known = this.#distinct.get(key);
    if (known !== undefined) return known;
    const users = this.navigator.filesWith(definition.name);
    const isDistinct =
      users.length <= MANY_FILES &&
      this.#namesakes(definition).filter(({ parent }) => parent !== "").length === 1 &&
      users.filter((file) => this.navigator.knows(file, definition.file)).length * 2 > users.length;
    this.#distinct.set(key, isDistinct);
    return isDistinct;
  }

  /** A file may declare a name thousands of times, and use it as often. */
  #isAmong(definitions: readonly Definition[], definition: Definition): boolean {
    if (definitions.length <= FEW) return definitions.some((one) => isSame(one, definition));
    const lines = this.#lines.get(definitions) ?? new Set(definitions.map(lineOf));
    this.#lines.set(definitions, lines);
    return lines.has(lineOf(definition));
  }
  readonly #lines = new WeakMap<readonly Definition[], ReadonlySet<string>>();

  /** Without rules for imports: the only one in the directory; if it has none, the only one of all. */
  #byName(file: NavigableFile, definition: Definition): Confidence {
    const known = this.#namesakes(definition);
    const near = known.filter((one) => directoryOf(one.file.path) === directoryOf(file.path));
    const [only, ...others] = near.length > 0 ? near : known;
    return only && others.length === 0 && isSame(only, definition) ? "probable" : "name only";
  }

  /** All declarations with the name of this one, in languages that can use it. */
  #namesakes({ name, file }: Definition): readonly Definition[] {
    const family = familyOf(file);
    const known = this.#sameName.get(`${family} ${name}`);
    if (known) return known;
    const found = this.navigator.definitions(name).filter((one) => familyOf(one.file) === family);
    this.#sameName.set(`${family} ${name}`, found);
    return found;
  }

  /** Uses by the declaration's name, and by the names that files import it under. */
  #candidates(definition: Definition, isNearOnly: boolean): [NavigableFile, readonly ParsedReference[]][] {
    const all = this.navigator.filesWith(definition.name);
    // A function of a Go package has no other uses. A method may be called on what a third package returns.
    const isBound = definition.file.language === "go" && definition.parent === "";
    const isNear = isBound || (isNearOnly && all.length > MANY_FILES);
    const near = isNear ? all.filter((file) => this.navigator.knows(file, definition.file)) : all;
    const files = new Map(near.map((file) => [file.id, file]));
    if (definition.parent === "" && this.#isDefault(definition))
      for (const file of this.navigator.filesWith(moduleWord(definition.file.path))) files.set(file.id, file);
    return [...files.values()].map((file) => {
      const names = this.navigator.namesOf(file);
      const aliases = names.imports.filter(
        ({ local, name }) =>
          local !== definition.name && local !== "" && (name === definition.name || name === "default"),
      );
      const renamed = [...new Set(aliases.map(({ local }) => local))].flatMap((local) =>
        names.references(local),
      );
      return [file, [...names.references(definition.name), ...renamed.filter(({ on }) => on === undefined)]];
    });
  }

  #isDefault({ file, name }: Definition): boolean {
    const { imports } = this.navigator.namesOf(file);
    return name === "default" || imports.some((one) => one.local === "default" && one.name === name);
  }
}

export const isSame = (a: Definition, b: Definition): boolean =>
  a.file.id === b.file.id && a.startLine === b.startLine && a.name === b.name && a.parent === b.parent;

const lineOf = ({ file, startLine, name, parent }: Definition) => `${file.id}:${startLine}:${name}:${parent}`;

/** The word that importers of a file write. */
function moduleWord(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return name === "index" ? directoryOf(path).split("/").at(-1) || name : name;
}
