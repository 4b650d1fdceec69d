/** The innermost scope, the innermost function, the scope around it, or also the body of a type. */
export type DeclaredWhere = "local" | "hoisted" | "above" | "parameter";

export interface LocalScope {
  readonly start: number;
  readonly end: number;
  readonly kind: "scope" | "function" | "class";
  /** The type whose body this is. */
  readonly owner?: string;
  readonly names: Map<string, LocalName>;
}

interface LocalName {
  /** A path as in `ParsedReference.on`, if the file tells. */
  readonly type?: string | undefined;
  /** Where it begins to be known. */
  readonly from: number;
  /** A name of the module that the scope assigns. */
  readonly isGlobal?: boolean;
}

/** The scopes around a place that moves through the text from its beginning to its end. */
export class ScopeStack {
  readonly #scopes: readonly LocalScope[];
  readonly #open: LocalScope[] = [];
  #next = 0;

  /** `scopes` by their start, the outer first. */
  constructor(scopes: readonly LocalScope[]) {
    this.#scopes = scopes;
  }

  moveTo(position: number): void {
    for (
      let scope = this.#scopes[this.#next];
      scope && scope.start <= position;
      scope = this.#scopes[this.#next]
    ) {
      this.#close(scope.start);
      this.#open.push(scope);
      this.#next++;
    }
    this.#close(position);
  }

  #close(position: number): void {
    for (let last = this.#open.at(-1); last && last.end <= position; last = this.#open.at(-1))
      this.#open.pop();
  }

  /** Names outside of functions belong to the file or to a type: they are not local. */
  declare(
    name: string,
    where: DeclaredWhere,
    type: string | undefined,
    from = Number.NEGATIVE_INFINITY,
  ): void {
    const scope = this.#target(where);
    if (scope === undefined || scope.names.get(name)?.isGlobal) return;
    scope.names.set(name, { type, from });
  }

  declareGlobal(name: string): void {
    this.#open.findLast(({ kind }) => kind === "function")?.names.set(name, { from: 0, isGlobal: true });
  }

  /** The local name that is known at a position. */
  find(name: string, position: number): LocalName | undefined {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const known = this.#open[at]?.names.get(name);
      if (known?.isGlobal) return undefined;
      if (known && known.from <= position) return known;
    }
    return undefined;
  }

  owner(): string | undefined {
    return this.#open.findLast(({ owner }) => owner !== undefined)?.owner;
  }

  #target(where: DeclaredWhere): LocalScope | undefined {
    if (where === "parameter") return this.#open.at(-1);
    const open = where === "above" ? this.#open.slice(0, -1) : this.#open;
    const scope = where === "hoisted" ? open.findLast(({ kind }) => kind !== "scope") : open.at(-1);
    const isInFunction = open.some(({ kind }) => kind === "function");
    return scope?.kind === "class" || (!isInFunction && scope?.kind !== "scope") ? undefined : scope;
  }
}
