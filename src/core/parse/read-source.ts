import type { Node } from "web-tree-sitter";
import { commentText } from "./comments.ts";
import { cutsOf } from "./cuts.ts";
import type { LanguageId, ParsedFile, ParsedSymbol } from "./parse.ts";
import { problemsOf } from "./problems.ts";
import type { Declaration, FileFact, Place, Rules } from "./rules.ts";
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
  reader.readAll(children, { text }, undefined);
  const { packageName, build } = reader;
  return {
    language: id,
    ...(packageName !== undefined && { packageName }),
    ...(build !== undefined && { build }),
    doc: rules.fileDoc?.(root, reader.leading) ?? reader.packageDoc,
    imports: reader.imports,
    symbols: reader.symbols,
    problems: root.hasError ? problemsOf(root) : [],
  };
}

interface Group {
  readonly doc: string;
  readonly line: number;
}

/** Comments seen since the last declaration, grouped as Go's parser groups them: no blank line within a group. */
class Comments {
  #group: Node[] = [];
  #endLine = -1;
  /** First line of attributes or decorators that stand before the declaration. */
  #fromLine: number | undefined;

  add(comment: Node, previousEndLine: number): void {
    const line = comment.startPosition.row;
    // On the line of the code before it, a comment belongs to that code.
    if (line === previousEndLine) return;
    if (line > this.#endLine + 1) this.#group = [];
    this.#group.push(comment);
    this.#endLine = lastLine(comment);
  }

  extend(attribute: Node): void {
    const line = attribute.startPosition.row;
    if (line > this.#endLine + 1) this.#group = [];
    this.#fromLine ??= line;
    this.#endLine = lastLine(attribute);
  }

  /** The comments that touch a declaration on `line`, and the first line that belongs to it. */
  take(line: number): { readonly comments: readonly Node[]; readonly from: number } {
    const isAbove = this.#endLine + 1 === line || this.#endLine === line;
    const comments = isAbove ? this.#group : [];
    const from = isAbove ? (comments[0]?.startPosition.row ?? this.#fromLine ?? line) : line;
    this.clear();
    return { comments, from };
  }

  clear(): void {
    this.#group = [];
    this.#endLine = -2;
    this.#fromLine = undefined;
  }
}

class Reader {
  readonly symbols: ParsedSymbol[] = [];
  readonly imports: string[] = [];
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

  readAll(nodes: readonly Node[], place: Place, group: Group | undefined): void {
    const comments = new Comments();
    comments.clear();
    let previousEnd = place.holder?.startPosition.row ?? -1;
    for (const [index, node] of nodes.entries()) {
      const type = node.type;
      if (this.#rules.comments.has(type)) {
        if (!this.#isAfterCode) this.#noteLeading(node);
        comments.add(node, previousEnd);
        continue;
      }
      if (this.#rules.between?.has(type)) {
        comments.extend(node);
        continue;
      }
      if (!node.isNamed && type !== "ERROR") {
        if (type.trim() !== "") previousEnd = lastLine(node);
        continue;
      }
      this.#isAfterCode = true;
      this.#readNode(node, type, { place, group, comments, after: nodes.slice(index + 1, index + 4) });
      previousEnd = lastLine(node);
    }
  }

  #readNode(
    node: Node,
    type: string,
    around: { place: Place; group: Group | undefined; comments: Comments; after: readonly Node[] },
  ): void {
    const { place, group, comments } = around;
    const fact = this.#rules.header?.(node, type, place);
    const above = comments.take(node.startPosition.row);
    if (fact) {
      this.#noteFact(fact, above.comments);
      return;
    }
    // What stands inside an error may still be whole declarations.
    const found = type === "ERROR" ? { inside: node.children } : this.#rules.declares(node, type, place);
    if (found === undefined) return;
    if ("inside" in found) {
      const inner = found.isGroup
        ? { doc: this.#docOf(above.comments), line: node.startPosition.row + 1 }
        : group;
      const parent = found.parent ?? place.parent;
      this.readAll(
        found.inside,
        { text: place.text, holder: node, ...(parent !== undefined && { parent }) },
        inner,
      );
      return;
    }
    const doc =
      this.#docOf(above.comments) || this.#docBeside(node, found, around.after) || (group?.doc ?? "");
    for (const declaration of found)
      this.#keep(declaration, node, { doc, from: above.from + 1, group, place });
  }

  #keep(
    found: Declaration,
    node: Node,
    at: { doc: string; from: number; group: Group | undefined; place: Place },
  ): void {
    const startLine = node.startPosition.row + 1;
    const endLine = (found.end ?? node).endPosition.row + 1;
    const parent = found.parent ?? at.place.parent;
    const before = this.symbols.length;
    const symbol: ParsedSymbol = {
      name: found.name,
      kind: found.kind,
      signature: found.signature ?? signatureOf(this.#text, node, found, this.#rules),
      doc: found.doc ?? at.doc,
      startLine,
      endLine,
      docStartLine: Math.min(at.from, startLine),
      exported: found.exported,
      ...(parent !== undefined && { parent }),
      ...(found.receiver !== undefined && { receiver: found.receiver }),
      ...(at.group !== undefined && { groupLine: at.group.line }),
      cuts: cutsOf(node, startLine, endLine),
    };
    this.symbols.push(symbol);
    if (!found.members) return;
    this.readAll(
      found.members.children,
      { text: this.#text, parent: found.name, holder: found.members },
      undefined,
    );
    if (this.symbols.length > before + 1) this.symbols[before] = { ...symbol, hasMembers: true };
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

/** Some grammars let a line comment end at the start of the next line. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}
