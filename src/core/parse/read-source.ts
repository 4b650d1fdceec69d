import type { Node } from "web-tree-sitter";
import { commentText } from "./comments.ts";
import { type Above, CommentsAbove } from "./comments-above.ts";
import { cutsOf } from "./cuts.ts";
import { markExported } from "./exports.ts";
import { Header } from "./header.ts";
import { lastRow } from "./lines.ts";
import type { LanguageId, ParsedFile, ParsedMember, ParsedSymbol } from "./parse.ts";
import { readPatterns } from "./patterns.ts";
import { problemsOf } from "./problems.ts";
import type { Declaration, FileFact, MemberNames, Place, Rules } from "./rules.ts";
import { signatureOf } from "./signature.ts";

interface Source {
  readonly id: LanguageId;
  readonly rules: Rules;
  readonly text: string;
  readonly root: Node;
}

/** Everything we keep of a syntax tree. */
export function readSource({ id, rules, text, root }: Source): ParsedFile {
  const reader = new Reader(rules, text);
  const children = root.children;
  reader.readAll(children, { text });
  const { packageName, build } = reader;
  return {
    language: id,
    ...(packageName !== undefined && { packageName }),
    ...(build !== undefined && { build }),
    doc: rules.fileDoc?.(root, reader.leading) ?? reader.packageDoc,
    imports: [...reader.imports, ...(rules.loads?.(children, text) ?? [])],
    ...markExported(
      root.hasError ? withRecovered(reader.symbols, text, rules) : reader.symbols,
      rules.exports?.(children, text) ?? { names: [] },
    ),
    ...(reader.members.length > 0 && { members: reader.members }),
    header: reader.header.runs,
    notices: reader.header.notices,
    problems: root.hasError ? problemsOf(root, rules.isFault) : [],
  };
}

/** Adds what line patterns find where the tree has nothing: not inside of functions, nothing twice. */
function withRecovered(
  symbols: readonly ParsedSymbol[],
  text: string,
  { recovery }: Rules,
): readonly ParsedSymbol[] {
  if (recovery === undefined) return symbols;
  const covered = new Set<number>();
  for (const { kind, startLine, endLine } of symbols) {
    const isBody = kind === "function" || kind === "method";
    for (let line = startLine; line <= (isBody ? endLine : startLine); line++) covered.add(line);
  }
  const names = new Map<string, readonly ParsedSymbol[]>();
  for (const symbol of symbols) names.set(symbol.name, [...(names.get(symbol.name) ?? []), symbol]);
  const isNew = ({ name, startLine }: ParsedSymbol) =>
    !covered.has(startLine) &&
    !names.get(name)?.some((known) => known.startLine <= startLine && startLine <= known.endLine);
  const found = readPatterns(text, recovery).filter(isNew);
  return found.length === 0 ? symbols : [...symbols, ...found].sort((a, b) => a.startLine - b.startLine);
}

/** A member's value may be a whole function. */
const MAX_MEMBER_SIGNATURE = 80;
const shortened = (signature: string) =>
  signature.length > MAX_MEMBER_SIGNATURE ? `${signature.slice(0, MAX_MEMBER_SIGNATURE)}…` : signature;

const DOCUMENTED = new Set(["function", "method", "class", "interface", "enum", "struct"]);
const ABOUT_FILE =
  /@(?:fileoverview|file|module|packageDocumentation|license)\b|copyright|spdx-|licen[cs]ed under/i;

interface Group {
  readonly doc: string;
  readonly line: number;
}
interface Around {
  readonly group?: Group | undefined;
  /** Comments before the first node, where a holder starts with it. */
  readonly above?: readonly Node[];
}

class Reader {
  readonly symbols: ParsedSymbol[] = [];
  readonly members: ParsedMember[] = [];
  readonly imports: string[] = [];
  readonly header = new Header();
  /** Comments before any code. */
  readonly leading: Node[] = [];
  packageName: string | undefined;
  packageDoc = "";
  build: string | undefined;
  readonly #rules: Rules;
  readonly #text: string;
  #isAfterCode = false;

  constructor(rules: Rules, text: string) {
    this.#rules = rules;
    this.#text = text;
  }

  readAll(nodes: readonly Node[], place: Place, { group, above = [] }: Around = {}): void {
    const comments = new CommentsAbove();
    for (const comment of above) comments.add(comment, -1);
    const isTop = place.holder === undefined;
    let previousEndRow = place.holder?.startPosition.row ?? -1;
    for (const [index, node] of nodes.entries()) {
      const type = node.type;
      if (this.#rules.comments.has(type)) {
        if (!this.#isAfterCode) this.#noteLeading(node);
        if (isTop) this.header.comment(node);
        comments.add(node, previousEndRow);
        continue;
      }
      if (this.#rules.between?.has(type) || this.#rules.isBetween?.(node, type)) {
        comments.extend(node);
        continue;
      }
      if (!node.isNamed && type !== "ERROR") {
        if (type.trim() !== "") previousEndRow = lastRow(node);
        continue;
      }
      this.#isAfterCode = true;
      this.#readNode(node, type, { place, group, comments, after: nodes.slice(index + 1, index + 4) });
      previousEndRow = lastRow(node);
    }
  }

  #readNode(
    node: Node,
    type: string,
    around: { place: Place; group: Group | undefined; comments: CommentsAbove; after: readonly Node[] },
  ): void {
    const { place, group, comments } = around;
    const fact = this.#rules.header?.(node, type, place);
    const above = comments.take(node.startPosition.row);
    if (place.holder === undefined) this.header.code(node, fact !== undefined);
    if (fact) {
      this.#noteFact(fact, above.comments);
      for (const comment of this.#trailingComments(node)) comments.add(comment, -1);
    }
    // What stands inside an error may still be whole declarations.
    const found = type === "ERROR" ? { inside: node.children } : this.#rules.declares(node, type, place);
    if (found === undefined) return;
    if ("names" in found) {
      this.#keepNames(found, node, place);
      return;
    }
    if ("inside" in found) {
      const inner = found.isGroup
        ? { doc: this.#docOf(above.comments), line: node.startPosition.row + 1 }
        : group;
      const parent = found.parent ?? place.parent;
      const isHidden = found.isHidden ?? place.isHidden ?? false;
      this.readAll(
        found.inside,
        {
          text: place.text,
          holder: node,
          isHidden,
          isTest: found.isTest ?? place.isTest ?? false,
          ...(parent !== undefined && { parent }),
          ...(found.parent === undefined &&
            place.parentKind !== undefined && { parentKind: place.parentKind }),
        },
        {
          group: inner,
          // A node that starts with its first declaration passes on the comment above it.
          ...(node.firstChild?.isNamed && { above: above.comments }),
        },
      );
      return;
    }
    const near = this.#withLooseDoc(above, found);
    const doc =
      this.#docOf(near.comments) || this.#docBeside(node, found, around.after) || (group?.doc ?? "");
    for (const declaration of found) this.#keep(declaration, node, { doc, above: near, group, place });
  }

  #keep(
    found: Declaration,
    node: Node,
    at: { doc: string; above: Above; group: Group | undefined; place: Place },
  ): void {
    const startLine = at.above.startRow + 1;
    const endLine = Math.max(lastRow(found.end ?? node) + 1, startLine);
    const parent = found.parent ?? at.place.parent;
    const before = this.symbols.length;
    const symbol: ParsedSymbol = {
      name: found.name,
      kind: found.kind,
      signature: found.signature ?? signatureOf(this.#text, node, found, this.#rules),
      doc: [found.doc ?? "", at.doc].filter((doc) => doc !== "").join("\n\n"),
      startLine,
      endLine,
      docStartLine: at.above.docRow + 1,
      exported: found.exported,
      ...(parent !== undefined && { parent }),
      ...(found.receiver !== undefined && { receiver: found.receiver }),
      ...(at.group !== undefined && { groupLine: at.group.line }),
      ...((found.isTest || at.place.isTest) && { isTest: true }),
      ...(found.isDeclaredOnly && { isDeclaredOnly: true }),
      cuts: cutsOf(node, startLine, endLine),
    };
    this.symbols.push(symbol);
    if (!found.members) return;
    this.readAll(
      found.members.children,
      {
        text: this.#text,
        parent: found.memberParent ?? found.name,
        parentKind: found.kind,
        holder: found.members,
        isTest: symbol.isTest ?? false,
      },
      { above: this.#commentsBefore(found.members) },
    );
    if (this.symbols.length > before + 1) this.symbols[before] = { ...symbol, hasMembers: true };
  }

  #keepNames({ names }: MemberNames, node: Node, { parent }: Place): void {
    if (parent === undefined || names.length === 0) return;
    const signature = shortened(signatureOf(this.#text, node, {}, this.#rules));
    const line = node.startPosition.row + 1;
    for (const name of names) this.members.push({ ...name, parent, line, signature });
  }

  /** Some grammars put the comment above the first member before the body. */
  #commentsBefore(body: Node): readonly Node[] {
    const comments: Node[] = [];
    let before = body.previousSibling;
    for (; before && this.#rules.comments.has(before.type); before = before.previousSibling)
      comments.unshift(before);
    const headRow = before ? lastRow(before) : -1;
    return comments.filter(({ startPosition }) => startPosition.row > headRow);
  }

  /** Some grammars count the comment above the first declaration to the imports before it. */
  #trailingComments(node: Node): readonly Node[] {
    const last = node.lastNamedChild;
    if (last === null || !this.#rules.comments.has(last.type)) return [];
    const children = node.namedChildren;
    const lastCode = children.findLastIndex(({ type }) => !this.#rules.comments.has(type));
    return children.slice(lastCode + 1);
  }

  /** Some styles put a blank line between a doc block and its function. */
  #withLooseDoc(above: Above, found: readonly Declaration[]): Above {
    const { loose } = above;
    if (!loose || this.#rules.hasTightDocs || !found.some(({ kind }) => DOCUMENTED.has(kind))) return above;
    const text = loose.text;
    if (!text.startsWith("/**") || ABOUT_FILE.test(text)) return above;
    return { ...above, comments: [loose], docRow: loose.startPosition.row };
  }

  #docOf(comments: readonly Node[]): string {
    if (comments.length === 0) return "";
    const texts = comments.map((comment) => comment.text);
    return this.#rules.docText ? this.#rules.docText(texts) : commentText(texts);
  }

  /** What follows a value or a type on its last line, as in a list of constants. */
  #docBeside(node: Node, found: readonly Declaration[], after: readonly Node[]): string {
    if (found.some(({ kind }) => kind === "function" || kind === "method")) return "";
    const line = node.endPosition.row;
    const others = after.findIndex(
      (next) => next.startPosition.row !== line || !this.#rules.comments.has(next.type),
    );
    return this.#docOf(others < 0 ? after : after.slice(0, others));
  }

  #noteLeading(comment: Node): void {
    this.leading.push(comment);
    this.build ??= /^\/\/go:build (.+)$/m.exec(comment.text)?.[1]?.trim();
  }

  #noteFact({ packageName, imports }: FileFact, comments: readonly Node[]): void {
    if (packageName !== undefined) {
      this.packageName ??= packageName;
      this.packageDoc ||= this.#docOf(comments);
    }
    if (imports) this.imports.push(...imports);
  }
}
