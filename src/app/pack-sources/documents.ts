import { z } from "zod";
import type { DocumentsDoor } from "../../capabilities/documents/index.ts";
import type { PackItem, PackSource } from "../../capabilities/packs/index.ts";
import { DomainError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { callerOf } from "./call-tool.ts";
import { askedByCode, BY_CODE, type FoundCode } from "./code.ts";
import { type Place, placeOf } from "./document-place.ts";
import { headingOf, quote, type Section, sectionsOf, sizes } from "./quote.ts";
import type { LoadRanker } from "./ranker.ts";

const Found = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      score: z.number(),
      title: z.string().nullable(),
      source: z.string(),
      source_id: z.string(),
    }),
  ),
});
type Found = z.infer<typeof Found>["results"][number];
const Body = z.object({ body: z.string(), content_type: z.string() });
const MOST_DOCUMENTS = 14;
const MOST_SECTIONS = 8;
const UNSYNCED = { reason: "nothing is synced yet", command: "contextful documents sync" };
const UNCONFIGURED = {
  reason:
    'no source is configured; add [connectors.filesystem.docs] with root = "DIR" to contextful.toml and sync',
};

/** Sections of the documents that a search finds, each cited by its lines. */
export const documentsSource = (
  documents: DocumentsDoor,
  { machine, foundCode, ranker }: { machine: Machine; foundCode: FoundCode; ranker: LoadRanker },
): PackSource => {
  const call = callerOf(documents.tools);
  return {
    room: "documents",
    async gather(request, signal) {
      const { documents: stored, configured } = await documents.status();
      if (stored === 0) {
        return { items: [], state: "", empty: configured.length === 0 ? UNCONFIGURED : UNSYNCED };
      }
      const asked = { query: request.task.slice(0, 1000), mode: "hybrid", limit: MOST_DOCUMENTS };
      const found = Found.parse(
        await call("context.search", asked, signal).catch(() =>
          call("context.search", { ...asked, mode: "keyword" }, signal),
        ),
      );
      const bodyOf = (id: string) => call("context.get", { id }, signal).catch(undefinedIfGone);
      const read = await Promise.all(
        found.results.map(async (document): Promise<Read | undefined> => {
          const stored = Body.optional().parse(await bodyOf(document.id));
          if (stored === undefined) return undefined;
          const lines = quotableLines(stored.body);
          return {
            document,
            lines,
            title: titleOf(document, lines),
            place: await placeOf({ ...document, ...stored }, machine),
          };
        }),
      );
      const code = await askedByCode(foundCode, request, signal);
      const kept = read.filter((one) => one !== undefined);
      const items = await sectionsAsItems(kept, { task: request.task, code }, ranker);
      return { items, state: sha256(JSON.stringify(items)) };
    },
  };
};

/** A sync may have taken it away since it was found. */
function undefinedIfGone(thrown: unknown): undefined {
  if (!(thrown instanceof DomainError) || thrown.code !== "not_found") throw thrown;
}

interface Read {
  readonly document: Found;
  readonly lines: readonly string[];
  readonly title: string;
  readonly place: Place;
}

/** What it calls itself; many sources know only the name of the file. */
function titleOf({ title, source_id }: Found, lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return (first.startsWith("# ") && headingOf(first)) || (title ?? source_id);
}

/** The best sections of each document, ranked among the sections of all of them. */
async function sectionsAsItems(
  read: readonly Read[],
  { task, code }: { readonly task: string; readonly code: string },
  ranker: LoadRanker,
): Promise<PackItem[]> {
  const sections = read.flatMap((one) => sectionsOf(one.lines).map((section) => ({ ...one, section })));
  const texts = sections.map(({ title, section: { heading, text } }) => ({
    title: `${title} ${heading}`,
    text,
  }));
  const rank = await ranker();
  const byTask = await rank(task, texts);
  const byCode = await rank(code, texts);
  const ranked = sections
    .map((one, index) => ({ ...one, score: Math.max(byTask[index] ?? 0, BY_CODE * (byCode[index] ?? 0)) }))
    .sort((a, b) => b.score - a.score || a.section.start - b.section.start);
  return read.flatMap(({ document }) =>
    ranked
      .filter((one) => one.document === document)
      .slice(0, MOST_SECTIONS)
      .map((one) => itemOf(one, document.score ** 0.5 * one.score)),
  );
}

function itemOf(
  { document, title, section, lines, place }: Read & { readonly section: Section },
  score: number,
): PackItem {
  return {
    id: `documents:${document.source}/${document.source_id}#${section.start}`,
    room: "documents",
    kind: "document",
    title: section.heading === "" || section.heading === title ? title : `${title}: ${section.heading}`,
    score: Math.min(1, score),
    why: "found in the documents",
    provenance: document.source,
    freshness: place.freshness,
    language: "md",
    sizes: sizes(
      quote(place.path, lines, section.start, section.end),
      quote(place.path, lines, section.start, section.start + 2),
    ),
  };
}
