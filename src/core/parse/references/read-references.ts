import type { Node, Query, QueryMatch } from "web-tree-sitter";
import { endOfWord, readExpression, valueExpression } from "./expressions.ts";
import type {
  FileReferences,
  ParsedImport,
  ParsedReference,
  ReferenceKind,
  ReferenceRules,
} from "./references.ts";
import { type DeclaredWhere, type LocalScope, ScopeStack } from "./scopes.ts";

/** More are data. The index would grow by them, and no answer shows them. */
const MAX_REFERENCES = 60_000;
const MAX_TYPE = 200;
const UNKNOWN = "?";
const MEMBER_BEFORE = /(?:[^.]|^)(?:[?!]?\.|::)$/;
const CALL_AFTER = /\s*(?:\?\.)?!?(?:(?:::)?<[\w\s,.[\]|&*:<>'"]{0,80}>|\[[\w\s,.*[\]]{1,60}\])?\(/y;
const WRITE_AFTER = /[ \t]*(?:(?:[-+*/%&|^]|\*\*|\/\/|<<|>>|\?\?|\|\||&&)?=(?![=>~])|\+\+|--)/y;

const SPACE = 32;
const HASH = 35;
const PARENTHESIS = 40;
const DOT = 46;
const COLON = 58;
const GREATER = 62;
const AT = 64;
/** Begins what may be a call with type arguments, or an assignment. */
const isOperator = (code: number) => "!%&*+-/:<=>?[^|~".includes(String.fromCharCode(code));

/** A captured name. The roles are merged, because several patterns match one name. */
interface CapturedName {
  readonly start: number;
  readonly row: number;
  readonly column: number;
  role: Role;
  kind: ReferenceKind;
  typed?: Node;
  value?: Node;
  /** Where a local name begins to be known. */
  from?: number;
}

type Role = "use" | "member" | DeclaredWhere | "global" | "skip";
const RANK: Readonly<Record<Role, number>> = {
  use: 0,
  member: 1,
  local: 2,
  hoisted: 3,
  above: 4,
  parameter: 5,
  global: 6,
  skip: 7,
};
const ROLES: Readonly<Record<string, Role>> = {
  name: "use",
  type: "use",
  inherit: "use",
  member: "member",
  local: "local",
  hoisted: "hoisted",
  above: "above",
  parameter: "parameter",
  global: "global",
  definition: "skip",
  skip: "skip",
};

/** Reads the uses of names that are not local, and the imports, from a syntax tree. */
export function readReferences(
  { query, rules }: { readonly query: Query; readonly rules: ReferenceRules },
  root: Node,
  text: string,
): FileReferences {
  const reader = new ReferenceReader(rules, text);
  for (const match of query.matches(root)) reader.collect(match);
  return reader.read();
}

class ReferenceReader {
  readonly #rules: ReferenceRules;
  readonly #text: string;
  readonly #self: ReadonlySet<string>;
  readonly #memberBefore: RegExp;
  readonly #names = new Map<number, CapturedName>();
  readonly #scopes: LocalScope[] = [];
  readonly #imports: ParsedImport[] = [];
  /** Other words of an import statement are parts of a module's path. */
  #imported: ReadonlySet<string> = new Set();
  readonly #importRanges: (readonly [number, number])[] = [];
  /** What a name stands for, by its end in the text: the part before a dot is looked up here. */
  readonly #expressions = new Map<number, string>();

  constructor(rules: ReferenceRules, text: string) {
    this.#rules = rules;
    this.#text = text;
    this.#self = new Set(rules.self);
    this.#memberBefore = rules.memberBefore ?? MEMBER_BEFORE;
  }

  collect({ captures }: QueryMatch): void {
    const [first] = captures;
    if (first === undefined) return;
    if (captures.length === 1) {
      this.#collectOne(first.name, first.node);
      return;
    }
    const nodes: Record<string, Node> = {};
    for (const { name, node } of captures) nodes[name] = node;
    const { owner, typed, value, late } = nodes;
    if (nodes["export"]) this.#collectOne("export", nodes["export"]);
    for (const { name, node } of captures) {
      if (name === "class" && owner) this.#addScope(node, "class", this.#typeOf(owner));
      else if (name in ROLES) {
        const captured = this.#addName(node, ROLES[name] ?? "use", "read");
        if (typed) captured.typed = typed;
        if (value) captured.value = value;
        if (late) captured.from = late.endIndex;
      }
    }
  }

  /** From the text at hand: the tree would read it again. */
  #typeOf({ startIndex, endIndex }: Node): string | undefined {
    return this.#rules.typeName(this.#text.slice(startIndex, Math.min(endIndex, startIndex + MAX_TYPE)));
  }

  #collectOne(name: string, node: Node): void {
    switch (name) {
      case "scope":
      case "function":
      case "class":
        this.#addScope(node, name, undefined);
        return;
      case "import":
        this.#importRanges.push([node.startIndex, node.endIndex]);
        this.#imports.push(...this.#rules.importsOf(node));
        return;
      case "export":
        this.#imports.push(...this.#rules.importsOf(node));
        return;
      default:
        this.#addName(
          node,
          ROLES[name] ?? "use",
          name === "type" ? "type" : name === "inherit" ? "inherit" : "read",
        );
    }
  }

  #addScope(node: Node, kind: LocalScope["kind"], owner: string | undefined): void {
    this.#scopes.push({
      start: node.startIndex,
      end: node.endIndex,
      kind,
      names: new Map(),
      ...(owner && { owner }),
    });
  }

  #addName(node: Node, role: Role, kind: ReferenceKind): CapturedName {
    const start = node.startIndex;
    const known = this.#names.get(start);
    if (known) {
      if (RANK[role] > RANK[known.role]) known.role = role;
      if (kind !== "read" && known.kind !== "inherit") known.kind = kind;
      return known;
    }
    const { row, column } = node.startPosition;
    const captured: CapturedName = { start, row, column, role, kind };
    this.#names.set(start, captured);
    return captured;
  }

  read(): FileReferences {
    const names = [...this.#names.values()].sort((a, b) => a.start - b.start);
    this.#scopes.sort((a, b) => a.start - b.start || b.end - a.end);
    this.#importRanges.sort((a, b) => a[0] - b[0]);
    this.#imported = new Set(this.#imports.flatMap(({ local, name = local }) => [local, name]));
    if (this.#rules.isHoisted) this.#declareAll(names);
    const scopes = new ScopeStack(this.#scopes);
    const references: ParsedReference[] = [];
    let importAt = 0;
    for (const captured of names) {
      scopes.moveTo(captured.start);
      while ((this.#importRanges[importAt]?.[1] ?? Number.POSITIVE_INFINITY) <= captured.start) importAt++;
      const isImport = (this.#importRanges[importAt]?.[0] ?? Number.POSITIVE_INFINITY) <= captured.start;
      const found = this.#readName(captured, scopes, isImport);
      if (found) references.push(found);
      if (references.length >= MAX_REFERENCES) break;
    }
    return { references, imports: this.#imports };
  }

  #declareAll(names: readonly CapturedName[]): void {
    const scopes = new ScopeStack(this.#scopes);
    for (const { role, start } of names) {
      if (role === "use" || role === "member" || role === "skip") continue;
      scopes.moveTo(start);
      const name = this.#wordAt(start);
      if (role === "global") scopes.declareGlobal(name);
      else scopes.declare(name, role, undefined);
    }
  }

  #readName(captured: CapturedName, scopes: ScopeStack, isImport: boolean): ParsedReference | undefined {
    const { start, role } = captured;
    const name = this.#wordAt(start);
    if (name === "" || role === "skip" || role === "global") return undefined;
    if (role !== "use" && role !== "member" && !this.#isConstant(role, name)) {
      this.#declare(captured, role, name, scopes);
      return undefined;
    }
    if (isImport) return this.#imported.has(name) ? this.#reference(captured, name, { isImport }) : undefined;
    if (role === "member" || this.#isMember(start)) return this.#readMember(captured, name, scopes);
    const end = start + name.length;
    const local = scopes.find(name, start);
    if (local !== undefined) {
      this.#expressions.set(end, local.type ?? UNKNOWN);
      return undefined;
    }
    if (this.#rules.builtins?.has(name)) return undefined;
    const isSelf = this.#self.has(name);
    this.#expressions.set(end, isSelf ? (scopes.owner() ?? UNKNOWN) : name);
    return isSelf ? undefined : this.#reference(captured, name, { isImport });
  }

  #readMember(captured: CapturedName, name: string, scopes: ScopeStack): ParsedReference {
    const { typed, start } = captured;
    const on = typed ? (this.#typeOf(typed) ?? UNKNOWN) : this.#before(start, scopes);
    this.#expressions.set(start + name.length, on === UNKNOWN ? UNKNOWN : `${on}.${name}`);
    return this.#reference(captured, name, { on, isImport: false });
  }

  #isConstant(role: Role, name: string): boolean {
    return role === "local" && this.#rules.hasUpperCaseConstants === true && /^\p{Lu}/u.test(name);
  }

  #declare(
    { typed, value, from, start }: CapturedName,
    where: DeclaredWhere,
    name: string,
    scopes: ScopeStack,
  ): void {
    const written = typed && this.#typeOf(typed);
    const type =
      written ??
      (value &&
        valueExpression(this.#text, value.startIndex, value.endIndex, (at) => this.#rooted(at, scopes)));
    const isOwner = type === undefined && this.#self.has(name);
    scopes.declare(name, where, isOwner ? scopes.owner() : type, from);
    if (type) this.#expressions.set(start + name.length, type);
  }

  /** What the part before a dot stands for. */
  #before(start: number, scopes: ScopeStack): string {
    return readExpression(this.#text, start, (wordStart, wordEnd) => {
      const known = this.#expressions.get(wordEnd);
      return known ?? this.#rooted(this.#text.slice(wordStart, wordEnd), scopes);
    });
  }

  /** The first name of a path: a local variable becomes its type. */
  #rooted(word: string, scopes: ScopeStack): string {
    if (this.#self.has(word)) return scopes.owner() ?? UNKNOWN;
    const local = scopes.find(word, Number.POSITIVE_INFINITY);
    return local ? (local.type ?? UNKNOWN) : word;
  }

  #reference(
    { start, row, column, kind }: CapturedName,
    name: string,
    { on, isImport }: { readonly on?: string; readonly isImport: boolean },
  ): ParsedReference {
    return {
      name,
      line: row + 1,
      column: column + 1,
      kind: isImport ? "import" : this.#kindOf(kind, start, start + name.length),
      ...(on !== undefined && { on }),
    };
  }

  /** A look at one character spares most names the regular expression. A comment above may end with a dot. */
  #isMember(start: number): boolean {
    let at = start - 1;
    while (at >= 0 && this.#text.charCodeAt(at) === SPACE) at--;
    const code = this.#text.charCodeAt(at);
    if (code !== DOT && code !== COLON && code !== GREATER) return false;
    return this.#memberBefore.test(this.#text.slice(Math.max(0, at - 2), at + 1));
  }

  #kindOf(kind: ReferenceKind, start: number, end: number): ReferenceKind {
    if (kind === "inherit") return kind;
    if (this.#text.charCodeAt(start - 1) === AT) return "annotation";
    let at = end;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    const next = this.#text.charCodeAt(at);
    if (next === PARENTHESIS) return "call";
    if (!isOperator(next)) return kind;
    CALL_AFTER.lastIndex = end;
    if (CALL_AFTER.test(this.#text)) return "call";
    if (kind === "type") return kind;
    WRITE_AFTER.lastIndex = end;
    return WRITE_AFTER.test(this.#text) ? "write" : kind;
  }

  #wordAt(start: number): string {
    // A private member of a script begins with `#`.
    const from = this.#text.charCodeAt(start) === HASH ? start + 1 : start;
    return this.#text.slice(start, endOfWord(this.#text, from));
  }
}
