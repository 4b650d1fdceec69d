import { posix } from "node:path";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { Parser } from "htmlparser2";
import { instantOf } from "../timestamps.ts";
import type { Extracted, Unreadable } from "./format.ts";

/** Parts of real office files are far below these limits; a zip bomb is far above. */
const MOST_PART_BYTES = 50 * 1024 * 1024;
const MOST_TOTAL_BYTES = 200 * 1024 * 1024;
const MOST_RATIO = 300;
/** Small parts may have any compression ratio. */
const RATIO_MATTERS_FROM = 1024 * 1024;
const DEEPEST = 2_000;

export type PackageParts = ReadonlyMap<string, Uint8Array>;

/** Unpacks the wanted parts of an office file in memory, within the limits. */
export function openParts(bytes: Uint8Array, wanted: (name: string) => boolean): PackageParts | Unreadable {
  let total = 0;
  let refused: string | undefined;
  const isAllowed = ({ name, size, originalSize }: UnzipFileInfo) => {
    if (refused !== undefined || !wanted(name)) return false;
    total += originalSize;
    const isBomb = originalSize > RATIO_MATTERS_FROM && originalSize > size * MOST_RATIO;
    if (originalSize > MOST_PART_BYTES || total > MOST_TOTAL_BYTES || isBomb) {
      refused = "unpacks to far more than an office file holds";
      return false;
    }
    return true;
  };
  try {
    // fflate never gives more than the declared size, which was checked.
    const files = unzipSync(bytes, { filter: isAllowed });
    return refused === undefined ? new Map(Object.entries(files)) : { unreadable: refused };
  } catch {
    return { unreadable: "not a readable office file" };
  }
}

interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses a part. Names have no namespace prefix; nothing external is fetched. Of alternatives only the first is read: a
 * fallback repeats the same text for older programs.
 */
export function visitXml(parts: PackageParts, name: string, visitor: XmlVisitor): boolean {
  const part = parts.get(name);
  if (part === undefined) return false;
  let depth = 0;
  let fallbacks = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        if (depth > DEEPEST) throw new Error("nested deeper than any office file is");
        if (local(tag) === "Fallback") fallbacks += 1;
        if (fallbacks === 0) visitor.open?.(local(tag), attributes);
      },
      ontext(text) {
        if (fallbacks === 0) visitor.text?.(text);
      },
      onclosetag(tag) {
        depth -= 1;
        if (fallbacks === 0) visitor.close?.(local(tag));
        if (local(tag) === "Fallback") fallbacks -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(new TextDecoder().decode(part));
  parser.end();
  return true;
}

const local = (tag: string) => tag.slice(tag.indexOf(":") + 1);

/** The part that holds the relations of a part. */
export const relationsPart = (part: string): string =>
  `${posix.dirname(part)}/_rels/${posix.basename(part)}.rels`;

interface Relation {
  readonly id: string;
  /** The last word of its type, such as `worksheet`. */
  readonly type: string;
  /** The name of the target part. */
  readonly target: string;
}

/** The parts that a part refers to. */
export function readRelations(parts: PackageParts, part: string): Relation[] {
  const relations: Relation[] = [];
  visitXml(parts, relationsPart(part), {
    open(name, { Id = "", Type = "", Target = "" }) {
      if (name !== "Relationship") return;
      const target = posix.resolve("/", posix.dirname(part), Target).slice(1);
      relations.push({ id: Id, type: posix.basename(Type), target });
    },
  });
  return relations;
}

export const PROPERTIES = "docProps/core.xml";

/** Title, author and times from the properties of an office file. */
export function readProperties(parts: PackageParts): Omit<Extracted, "body"> {
  const values: Record<string, string> = {};
  let open = "";
  visitXml(parts, PROPERTIES, {
    open: (name) => {
      open = name;
    },
    text: (text) => {
      values[open] = (values[open] ?? "") + text.trim();
    },
    close: () => {
      open = "";
    },
  });
  const createdAt = instantOf(values["created"]);
  const updatedAt = instantOf(values["modified"]);
  return {
    ...(values["title"] && { title: values["title"] }),
    ...(values["creator"] && { author: values["creator"] }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}
