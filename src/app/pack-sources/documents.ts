import { realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { DocumentHit, DocumentsDoor, StoredDocument } from "../../capabilities/documents/index.ts";
import { type Freshness, fileRoleOf, type Gathered, type PackItem } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { readInside } from "../../core/files/read-inside.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines, redactSecrets, stripInvisible } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { decodeText } from "../../core/scan/read-text.ts";
import { documentBrief } from "./document-brief.ts";
import {
  CODE_MATCH_WEIGHT,
  NO_RELEVANT_CODE,
  type PackTask,
  queryFromCode,
  wordsOfTask,
} from "./pack-task.ts";
import { headingOf, type QuotedSection, quote, sectionsOf, sizes } from "./quote.ts";

const MOST_DOCUMENTS = 14;
const MOST_SECTIONS = 8;
/** The score of a section that is about the task even if no code is. Made-up tasks reach .41. */
const SURELY_ABOUT = 0.5;
const NOTHING_RELEVANT = { reason: "nothing in the documents has enough of this task" };
const UNSYNCED = { reason: "nothing is synced yet", command: "contextful documents sync" };
const UNCONFIGURED = {
  reason:
    'no source is configured; add [connectors.filesystem.docs] with root = "DIR" to contextful.toml and sync',
};

/** Sections of the documents that a search finds, each cited by its lines. */
export async function gatherDocuments(
  documents: DocumentsDoor,
  machine: Machine,
  task: PackTask,
): Promise<Gathered> {
  const { documents: stored, configured } = await documents.status();
  if (stored === 0) return { items: [], state: "", empty: configured.length === 0 ? UNCONFIGURED : UNSYNCED };
  const query = { query: task.request.task.slice(0, 1000), limit: MOST_DOCUMENTS };
  const hits = await documents
    .search({ ...query, mode: "hybrid" })
    .catch(() => documents.search({ ...query, mode: "keyword" }));
  const read = await Promise.all(hits.map((hit) => readDocument(documents, machine, hit)));
  const found = read.filter((one) => one !== undefined);
  const sections = await sectionsAsItems(found, await queryFromCode(task), task);
  const isElsewhere = (await task.findCode()).empty === NO_RELEVANT_CODE;
  const items = isElsewhere ? sections.filter(({ score }) => score >= SURELY_ABOUT) : sections;
  return {
    items,
    state: sha256(JSON.stringify(items)),
    ...(isElsewhere && items.length === 0 && { empty: NOTHING_RELEVANT }),
  };
}

interface ReadDocument {
  readonly hit: DocumentHit;
  readonly lines: readonly string[];
  readonly title: string;
  readonly cited: CitedDocument;
}

/** `undefined` if a sync removed the document after the search found it. */
async function readDocument(
  documents: DocumentsDoor,
  machine: Machine,
  hit: DocumentHit,
): Promise<ReadDocument | undefined> {
  const stored = await documents.get(hit.id).catch(undefinedIfMissing);
  if (stored === undefined) return undefined;
  const lines = quotableLines(stored.body);
  return { hit, lines, title: titleOf(hit, lines), cited: await citedDocument(stored, machine) };
}

function undefinedIfMissing(thrown: unknown): undefined {
  if (!(thrown instanceof DomainError) || thrown.code !== "not_found") throw thrown;
}

/** The first heading; many sources know only the name of the file. */
function titleOf({ title, source_id }: DocumentHit, lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return (first.startsWith("# ") && headingOf(first)) || (title ?? source_id);
}

/** The best sections of each document, ranked among the sections of all of them. */
async function sectionsAsItems(
  read: readonly ReadDocument[],
  code: string,
  { request, ranker }: PackTask,
): Promise<PackItem[]> {
  const sections = read.flatMap((one) => sectionsOf(one.lines).map((section) => ({ ...one, section })));
  const texts = sections.map(({ title, section: { heading, text } }) => ({
    title: `${title} ${heading}`,
    text,
  }));
  const rank = await ranker();
  const byTask = await rank(request.task, texts);
  const byCode = await rank(code, texts);
  const ranked = sections
    .map((one, index) => ({
      ...one,
      score: Math.max(byTask[index] ?? 0, CODE_MATCH_WEIGHT * (byCode[index] ?? 0)),
    }))
    .sort((a, b) => b.score - a.score || a.section.start - b.section.start);
  const words = wordsOfTask(request.task);
  return read.flatMap(({ hit }) =>
    ranked
      .filter((one) => one.hit === hit)
      .slice(0, MOST_SECTIONS)
      .map((one) => itemOf(one, hit.score ** 0.5 * one.score, words)),
  );
}

function itemOf(
  { hit, title, section, lines, cited }: ReadDocument & { readonly section: QuotedSection },
  score: number,
  words: readonly string[],
): PackItem {
  return {
    id: `documents:${hit.source}/${hit.source_id}#${section.start}`,
    room: "documents",
    kind: "document",
    // A changelog comes last.
    role: fileRoleOf(hit.source_id) === "accessory" ? "accessory" : "source",
    title: section.heading === "" || section.heading === title ? title : `${title}: ${section.heading}`,
    score: Math.min(1, score),
    why: "found in the documents",
    provenance: hit.source,
    freshness: cited.freshness,
    language: "md",
    sizes: sizes(
      quote(cited.path, lines, section.start, section.end),
      documentBrief(cited.path, lines, section, words),
    ),
  };
}

interface CitedDocument {
  readonly path: string;
  readonly freshness: Freshness;
}

/**
 * A text file of the project is cited by its own path and compared with the disk. Any other document is cited by its
 * source, because the lines of a converted document are not the lines of its file.
 */
async function citedDocument(
  { source, source_id, content_type, body }: StoredDocument,
  machine: Machine,
): Promise<CitedDocument> {
  const [type, name = ""] = source.split(":");
  const { connectors } = await machine.config();
  const connector = type === "filesystem" ? connectors.filesystem[name] : undefined;
  const path = `${source}/${source_id}`;
  if (connector === undefined || content_type !== "text/plain") return { path, freshness: "not checked" };
  const directory = resolve(machine.root, connector.root);
  const inProject = relative(machine.root, join(directory, source_id)).replaceAll("\\", "/");
  return {
    path: inProject.startsWith("../") ? path : inProject,
    freshness: (await isUnchanged(directory, source_id, body)) ? "fresh" : "changed since indexed",
  };
}

async function isUnchanged(directory: string, path: string, body: string): Promise<boolean> {
  const root = await realpath(directory).catch(() => undefined);
  const bytes = root === undefined ? undefined : await readInside(root, path);
  const decoded = bytes && decodeText(bytes);
  if (decoded === undefined || "skipped" in decoded) return false;
  // The documents room removes secrets and invisible characters before it stores a text; most texts have none.
  return decoded.text === body || redactSecrets(stripInvisible(decoded.text).text).text === body;
}
