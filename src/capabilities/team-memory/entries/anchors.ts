import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { isInside } from "../../../core/files/allowed-roots.ts";
import { sha256 } from "../../../core/hash.ts";
import type { AnchorRecord } from "../store/metadata.ts";
import type { ChangedAnchor } from "./schemas.ts";

interface AnchorTarget {
  readonly sha256: string;
  readonly of: "file" | "symbol";
  /** Hash of the unchanged bytes, as in earlier records. */
  readonly rawSha256?: string;
}

const MAX_ANCHORS = 32;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Anchors tie an entry to code: `path` or `path#Symbol`, with a hash of the code at that time. */
export function openAnchors(root: string) {
  const seen = new Map<string, { version: string; target: AnchorTarget | undefined }>();

  async function lookAt(anchor: string): Promise<AnchorTarget | undefined> {
    const [path = "", symbol] = splitAnchor(anchor);
    const file = fileInside(root, path);
    if (file === undefined) return undefined;
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    const version = `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
    const before = seen.get(anchor);
    if (before?.version === version) return before.target;
    const bytes = readableBytes(file);
    const target = bytes === undefined ? undefined : await targetOf(path, symbol, bytes);
    seen.set(anchor, { version, target });
    return target;
  }

  return {
    async record(anchors: readonly string[]): Promise<AnchorRecord[]> {
      if (anchors.length > MAX_ANCHORS) throw refused(`At most ${MAX_ANCHORS} anchors.`);
      const records: AnchorRecord[] = [];
      for (const anchor of new Set(anchors.map((text) => text.trim()))) {
        const target = await lookAt(anchor);
        if (target === undefined) {
          throw refused(
            `Anchor '${anchor}' points to nothing. Use "path" or "path#Symbol", relative to the project.`,
          );
        }
        records.push({ anchor, sha256: target.sha256, of: target.of });
      }
      return records;
    },
    /** The anchors whose code changed since the entry was written. */
    async changed(records: readonly AnchorRecord[]): Promise<ChangedAnchor[]> {
      const changes: ChangedAnchor[] = [];
      for (const { anchor, sha256: before, of } of records) {
        const target = await lookAt(of === "file" ? (splitAnchor(anchor)[0] ?? "") : anchor);
        if (target === undefined) changes.push({ anchor, change: "missing" });
        else if (![target.sha256, target.rawSha256].includes(before))
          changes.push({ anchor, change: "changed" });
      }
      return changes;
    },
  };
}
export type Anchors = ReturnType<typeof openAnchors>;

const splitAnchor = (anchor: string): readonly string[] => {
  const mark = anchor.lastIndexOf("#");
  return mark <= 0 ? [anchor] : [anchor.slice(0, mark), anchor.slice(mark + 1)];
};

/** The real path of a regular file inside the project that is not too large. */
function fileInside(root: string, path: string): string | undefined {
  if (path === "" || isAbsolute(path) || path.includes("\0") || path.length > 1000) return undefined;
  try {
    const file = realpathSync(join(root, path));
    const stat = lstatSync(file);
    return isInside(realpathSync(root), file) && stat.isFile() && stat.size <= MAX_FILE_BYTES
      ? file
      : undefined;
  } catch {
    return undefined;
  }
}

/** One unreadable file must not break a whole list of entries. */
function readableBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

async function targetOf(
  path: string,
  symbol: string | undefined,
  bytes: Buffer,
): Promise<AnchorTarget | undefined> {
  if (symbol === undefined) return wholeFile(bytes);
  const text = bytes.toString("utf8");
  const { parseSource } = await import("../../../core/parse/parse.ts");
  const parsed = await parseSource(path, text);
  // Unknown language: the whole file stands for the symbol, if it contains the name.
  if (parsed === undefined) return text.includes(symbol) ? wholeFile(bytes) : undefined;
  const found = parsed.symbols.find(
    ({ name, parent }) => name === symbol || (parent !== undefined && `${parent}.${name}` === symbol),
  );
  if (found === undefined) return undefined;
  const lines = text.split(/\r?\n/).slice(found.docStartLine - 1, found.endLine);
  return { sha256: sha256(lines.map((line) => line.trimEnd()).join("\n")), of: "symbol" };
}

/** Git chooses the line ends in each clone, so they are not part of the hash. */
function wholeFile(bytes: Buffer): AnchorTarget {
  const raw = sha256(bytes);
  if (!bytes.includes("\r\n")) return { sha256: raw, of: "file" };
  const lines = bytes.toString("latin1").replaceAll("\r\n", "\n");
  return { sha256: sha256(Buffer.from(lines, "latin1")), of: "file", rawSha256: raw };
}

const refused = (message: string) => new DomainError("invalid_input", message, { reason: "anchor" });
