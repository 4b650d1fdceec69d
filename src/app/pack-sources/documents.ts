import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { z } from "zod";
import type { DocumentsDoor } from "../../capabilities/documents/index.ts";
import type { Freshness, PackItem, PackSource } from "../../capabilities/packs/index.ts";
import { sha256 } from "../../core/hash.ts";
import type { Machine } from "../../core/machine.ts";
import { byCodeUnit } from "../../core/order.ts";
import { rankTexts } from "../../core/search/rank-texts.ts";
import { callerOf } from "./call-tool.ts";
import type { QuickModel } from "./model.ts";
import { quote, type Section, sectionsOf, sizes } from "./quote.ts";

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
const Body = z.object({ body: z.string() });
const MOST_DOCUMENTS = 10;
const MOST_SECTIONS = 2;

/** Sections of the documents that a search finds, each cited by its lines. */
export const documentsSource = (
  documents: DocumentsDoor,
  machine: Machine,
  model: QuickModel,
): PackSource => {
  const call = callerOf(documents.tools);
  return {
    room: "documents",
    async gather({ task }, signal) {
      const { documents: stored, configured } = await documents.status();
      if (stored === 0) {
        const reason = configured.length === 0 ? "no source is configured" : "nothing is synced yet";
        return { items: [], state: "", empty: { reason, command: "contextful documents sync" } };
      }
      const asked = { query: task.slice(0, 1000), mode: "hybrid", limit: MOST_DOCUMENTS };
      const found = Found.parse(
        await call("context.search", asked, signal).catch(() =>
          call("context.search", { ...asked, mode: "keyword" }, signal),
        ),
      );
      const items: PackItem[] = [];
      const texts: string[] = [];
      for (const document of found.results) {
        const { body } = Body.parse(await call("context.get", { id: document.id }, signal));
        texts.push(sha256(body));
        items.push(
          ...(await sectionsAsItems(document, body, {
            task,
            model,
            place: await placeOf(document, body, machine),
          })),
        );
      }
      return { items, state: sha256(texts.sort(byCodeUnit).join()) };
    },
  };
};

interface Place {
  readonly path: string;
  readonly freshness: Freshness;
}

async function sectionsAsItems(
  document: Found,
  body: string,
  { task, model, place }: { task: string; model: QuickModel; place: Place },
): Promise<PackItem[]> {
  const lines = body.split("\n");
  const sections = sectionsOf(lines);
  const scores = await rankTexts(
    task,
    sections.map(({ heading, text }) => ({ title: heading, text })),
    await model(),
  );
  return sections
    .map((section, index) => ({ section, score: scores[index] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.section.start - b.section.start)
    .slice(0, MOST_SECTIONS)
    .map(({ section, score }, rank) =>
      itemOf(
        { document, section, lines, place },
        document.score * (0.4 + 0.6 * score) * (rank === 0 ? 1 : 0.8),
      ),
    );
}

function itemOf(
  {
    document,
    section,
    lines,
    place,
  }: { document: Found; section: Section; lines: readonly string[]; place: Place },
  score: number,
): PackItem {
  const title = document.title ?? document.source_id;
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

/** A file of the project is cited by its own path and compared with the disk; anything else by its source. */
async function placeOf({ source, source_id }: Found, body: string, machine: Machine): Promise<Place> {
  const [type, name = ""] = source.split(":");
  const { connectors } = await machine.config();
  const connector = type === "filesystem" ? connectors.filesystem[name] : undefined;
  if (connector === undefined) return { path: `${source}/${source_id}`, freshness: "fresh" };
  const file = join(resolve(machine.root, connector.root), source_id);
  const path = relative(machine.root, file).replaceAll("\\", "/");
  const text = await readFile(file, "utf8").catch(() => undefined);
  return {
    path: path.startsWith("..") ? `${source}/${source_id}` : path,
    freshness: text === body ? "fresh" : "changed since indexed",
  };
}
