import { isDeepStrictEqual } from "node:util";
import { Document, isMap, isNode, isScalar, type Pair, parseDocument, visit, type YAMLMap } from "yaml";
import { parseYaml } from "../read/read-context.ts";
import { type ContextField, DirectoryContext, FIELDS } from "../schema.ts";

/** Fields to set; `undefined` removes one. Fields not named stay as they are, byte for byte. */
export type ContextChanges = Partial<{ readonly [F in ContextField]: DirectoryContext[F] | undefined }>;

const LAYOUT = { lineWidth: 120 } as const;

/** A new file: validated, in schema order. Strings that would read back as numbers are quoted by the printer. */
export function printContext(context: DirectoryContext): string {
  return new Document(DirectoryContext.parse(context)).toString(LAYOUT);
}

/**
 * The text of a valid context with some fields changed. Only their lines are rewritten: comments, order, quoting and
 * folding of the rest stay. If a file's style does not allow that (a flow map, an alias of what changes), it is
 * printed again with its comments.
 */
export function updateContext(text: string, changes: ContextChanges): string {
  const document = parseDocument(text, { logLevel: "error" });
  const map = document.contents;
  if (!isMap(map)) throw new Error("A context that was read as valid is not a map.");
  const before = DirectoryContext.parse(document.toJS());
  const changed = FIELDS.filter(
    (field) => field in changes && !isDeepStrictEqual(before[field], changes[field]),
  );
  if (changed.length === 0) return text;
  const expected = withChanges(before, changes);
  const spliced = map.flow === true ? undefined : splice(text, map, { changes, changed });
  if (spliced !== undefined && reads(spliced, expected)) return withLineEnds(spliced, text);
  resolveAliases(document);
  for (const field of changed) apply(document, field, changes[field]);
  return withLineEnds(document.toString(LAYOUT), text);
}

const withLineEnds = (text: string, like: string) =>
  like.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;

interface FieldEdit {
  readonly changes: ContextChanges;
  readonly changed: readonly ContextField[];
}
interface YamlSection {
  readonly field: ContextField;
  text: string;
}

/** Cuts the text at its top-level keys, replaces the sections that change, and puts new ones in schema order. */
function splice(text: string, map: YAMLMap, { changes, changed }: FieldEdit): string | undefined {
  const starts = map.items.map((pair) => ({ field: fieldOf(pair), at: startOf(pair) }));
  const sections: YamlSection[] = [];
  for (const [index, { field, at }] of starts.entries()) {
    if (field === undefined || at === undefined || (at > 0 && text[at - 1] !== "\n")) return undefined;
    sections.push({ field, text: text.slice(at, starts[index + 1]?.at ?? text.length) });
  }
  const head = text.slice(0, starts[0]?.at ?? 0);
  for (const field of changed) {
    const value = changes[field];
    const section = sections.find((each) => each.field === field);
    if (section) {
      const pair = map.items.find((each) => fieldOf(each) === field);
      const printed = value === undefined ? "" : printField(field, value, pair);
      section.text = printed + trailingComments(section.text);
    } else if (value !== undefined) insert(sections, { field, text: printField(field, value) });
  }
  return head + sections.map((section) => section.text).join("");
}

const fieldOf = (pair: Pair): ContextField | undefined =>
  isScalar(pair.key) ? FIELDS.find((field) => isScalar(pair.key) && field === pair.key.value) : undefined;

const startOf = (pair: Pair): number | undefined => (isScalar(pair.key) ? pair.key.range?.[0] : undefined);

/** Comments and blank lines at the left margin after a value belong to the next field. */
function trailingComments(section: string): string {
  const lines = section.split("\n");
  let from = lines.length;
  while (from > 1 && /^(#.*)?\r?$/.test(lines[from - 1] ?? "")) from--;
  return lines.slice(from).join("\n");
}

/** The existing pair is edited and printed, so that unchanged nested values keep their comments. */
function printField(field: ContextField, value: unknown, pair?: Pair): string {
  const document = new Document({});
  const existing = pair?.value;
  if (field === "dependencies" && isMap(existing)) {
    setMembers(existing, value);
    document.set(field, existing);
  } else {
    document.set(field, document.createNode(value));
    const comment = isScalar(existing) ? existing.comment : undefined;
    const node = document.get(field, true);
    if (comment && isScalar(node)) node.comment = comment;
  }
  return document.toString(LAYOUT);
}

function setMembers(map: YAMLMap, value: unknown): void {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  for (const name of ["internal", "external"]) {
    if (!members.some(([member]) => member === name)) map.delete(name);
  }
  for (const [name, member] of members) {
    if (!isDeepStrictEqual(plain(map.get(name)), member)) map.set(name, member);
  }
}

const plain = (node: unknown): unknown =>
  typeof node === "object" && node !== null && "toJSON" in node && typeof node.toJSON === "function"
    ? node.toJSON()
    : node;

function insert(sections: YamlSection[], section: YamlSection): void {
  const rank = FIELDS.indexOf(section.field);
  const at = sections.findLastIndex(({ field }) => FIELDS.indexOf(field) < rank);
  const before = sections[at];
  if (before && !before.text.endsWith("\n")) before.text += "\n";
  sections.splice(at + 1, 0, section);
}

/** A changed field may define an anchor that others use, so each alias is replaced by a copy of its value. */
function resolveAliases(document: ReturnType<typeof parseDocument>): void {
  visit(document, {
    Alias(_, alias) {
      const copy = alias.resolve(document)?.clone();
      if (!isNode(copy)) return undefined;
      if ("anchor" in copy) delete copy.anchor;
      return copy;
    },
  });
}

function apply(document: ReturnType<typeof parseDocument>, field: ContextField, value: unknown): void {
  if (value === undefined) document.delete(field);
  else document.set(field, document.createNode(value));
}

const withChanges = (before: DirectoryContext, changes: ContextChanges) =>
  DirectoryContext.parse(
    Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)),
  );

function reads(text: string, expected: DirectoryContext): boolean {
  const parsed = parseYaml(text);
  return "value" in parsed && isDeepStrictEqual(DirectoryContext.safeParse(parsed.value).data, expected);
}
