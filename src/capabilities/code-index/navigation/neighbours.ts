import type { ParsedReference } from "../../../core/parse/references/references.ts";
import type { Neighbours, SymbolLocation } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { calleesOf, callersOf } from "./call-graph.ts";
import { definitionAround, foundSymbol } from "./find-symbol.ts";
import { interfacesOf } from "./go-interfaces.ts";
import type { Definition } from "./navigator.ts";
import { type FoundReference, isSame, ReferenceFinder } from "./references.ts";
import { TestCode } from "./test-code.ts";

export interface NeighboursQuestion {
  readonly locations: readonly SymbolLocation[];
  /** Tests reach a symbol through at most this many calls. */
  readonly testDepth: number;
}
const MAX_CALLERS = 6;
const MAX_CALLEES = 6;
const MAX_TESTS = 3;
const MAX_TYPES = 4;
const MAX_IMPLEMENTATIONS = 4;
const MAX_INTERFACES = 2;
/** Callers whose callers are looked at for tests. */
const MAX_EXPANDED = 12;
/** The types of a signature stand in its first lines. */
const HEAD_LINES = 10;
const TYPE_KINDS: ReadonlySet<string> = new Set(["class", "struct", "interface", "enum", "type", "trait"]);

/** What a reader of a symbol looks at next, for each location in turn. */
export function neighboursOf(
  code: CodeStore,
  { locations, testDepth }: NeighboursQuestion,
): readonly Neighbours[] {
  const finder = new NeighbourFinder(code);
  return locations.map((location) => finder.find(location, testDepth));
}

const NOBODY: Neighbours = {
  callers: [],
  callees: [],
  tests: [],
  types: [],
  interfaces: [],
  implementations: [],
};

class NeighbourFinder {
  readonly #code: CodeStore;
  readonly #finder: ReferenceFinder;
  readonly #tests: TestCode;

  constructor(code: CodeStore) {
    this.#code = code;
    this.#finder = new ReferenceFinder(code);
    this.#tests = new TestCode(code);
  }

  find(location: SymbolLocation, testDepth: number): Neighbours {
    const definition = this.#definitionAt(location);
    if (!definition) return NOBODY;
    const references = this.#finder.find(definition, { isNearOnly: true });
    const calls = callersOf(this.#finder, definition, references).map((call) => call.definition);
    const shown = (definitions: readonly Definition[], most: number) =>
      distinct(definitions)
        .filter((one) => !isSame(one, definition))
        .slice(0, most)
        .map((one) => foundSymbol(this.#code, one));
    return {
      callers: shown(
        calls.filter((one) => !this.#isTest(one)),
        MAX_CALLERS,
      ),
      callees: shown(this.#calleesOf(definition), MAX_CALLEES),
      tests: shown(this.#testsOf(definition, references, testDepth), MAX_TESTS),
      types: shown(this.#typesOf(definition), MAX_TYPES),
      interfaces: interfacesOf(this.#code, definition).slice(0, MAX_INTERFACES),
      implementations: shown(this.#implementationsOf(definition, references), MAX_IMPLEMENTATIONS),
    };
  }

  #definitionAt({ path, name, line }: SymbolLocation): Definition | undefined {
    const file = this.#finder.navigator.tree.fileAt(path);
    if (!file) return undefined;
    const declared = this.#finder.navigator.namesOf(file).declaredAs(name);
    const found = declared.find(({ startLine }) => startLine === line) ?? declared[0];
    return found && { ...found, file };
  }

  #isTest = ({ file, startLine }: Definition): boolean => this.#tests.has(file, startLine);

  /** The rarest names first: what is called from everywhere says little about one caller. */
  #calleesOf(definition: Definition): Definition[] {
    const { navigator } = this.#finder;
    return calleesOf(this.#finder, definition)
      .map((call) => ({ ...call, uses: navigator.filesWith(call.definition.name).length }))
      .sort((a, b) => a.uses - b.uses || a.at - b.at)
      .map((call) => call.definition);
  }

  /** Tests that call the definition; if there are none, those that call its callers. */
  #testsOf(definition: Definition, references: readonly FoundReference[], depth: number): Definition[] {
    const inTests = references.filter(({ file, line }) => this.#tests.has(file, line));
    const direct = inTests.flatMap(({ file, line }) => this.#around(file, line));
    if (direct.length > 0 || depth < 2) return direct;
    let level: readonly Definition[] = [definition];
    const seen = [definition];
    for (let step = 1; step < depth; step++) {
      level = level
        .flatMap((one) => callersOf(this.#finder, one).map((call) => call.definition))
        .filter((one) => !seen.some((other) => isSame(one, other)))
        .slice(0, MAX_EXPANDED);
      seen.push(...level);
      const found = level.flatMap((one) => callersOf(this.#finder, one)).map((call) => call.definition);
      const tests = found.filter(this.#isTest);
      if (tests.length > 0) return tests;
    }
    return [];
  }

  /** Types that the signature names, and what a type is based on. */
  #typesOf(definition: Definition): Definition[] {
    const { file, startLine, endLine } = definition;
    const { signature } = foundSymbol(this.#code, definition);
    const last = Math.min(endLine, startLine + HEAD_LINES);
    const isInHead = ({ kind, line, name }: ParsedReference) =>
      (kind === "type" || kind === "inherit") &&
      startLine <= line &&
      line <= last &&
      signature.includes(name);
    return [...this.#finder.navigator.namesOf(file).all()]
      .filter(isInHead)
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .flatMap((reference) => {
        const found = this.#finder.resolver.resolve(file, reference);
        return found.state === "found" ? found.definitions.filter(({ kind }) => TYPE_KINDS.has(kind)) : [];
      });
  }

  /** The types that extend or implement a type; for a method, their methods of the same name. */
  #implementationsOf(definition: Definition, references: readonly FoundReference[]): Definition[] {
    if (TYPE_KINDS.has(definition.kind)) return this.#derived(references);
    const [type] = this.#finder.navigator.topLevel(definition.file, definition.parent);
    if (definition.parent === "" || !type) return [];
    return this.#derived(this.#finder.find(type, { isNearOnly: true })).flatMap((one) =>
      this.#finder.navigator.members(one, definition.name),
    );
  }

  #derived(references: readonly FoundReference[]): Definition[] {
    return references
      .filter(({ kind, confidence }) => kind === "inherit" && confidence !== "name only")
      .flatMap(({ file, line }) => this.#around(file, line))
      .filter(({ kind }) => TYPE_KINDS.has(kind));
  }

  #around(file: Definition["file"], line: number): Definition[] {
    return [definitionAround(this.#finder.navigator, file, line) ?? []].flat();
  }
}

function distinct(definitions: readonly Definition[]): Definition[] {
  return definitions.filter((one, at) => definitions.findIndex((other) => isSame(one, other)) === at);
}
