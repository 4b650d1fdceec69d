import type { Readable } from "node:stream";
import { z } from "zod";
import { errnoOf } from "../../../../core/errors.ts";
import { sha256 } from "../../../../core/hash.ts";
import { parseJson } from "../../../../core/json.ts";
import { formatOfMediaType } from "../../formats/format.ts";
import { listOf } from "../../formats/front-matter.ts";
import { instantOf } from "../../timestamps.ts";
import type { Item, SourceListing } from "../connector.ts";

export interface LineOptions {
  readonly tags: readonly string[];
  readonly settings: string;
}

const MOST_BYTES = 256 * 1024 * 1024;
const Line = z.object({
  source_id: z.string().min(1),
  body: z.string().min(1),
  title: z.string().nullish(),
  author: z.string().nullish(),
  source_url: z.string().nullish(),
  created_at: z.union([z.string(), z.number()]).nullish(),
  updated_at: z.union([z.string(), z.number()]).nullish(),
  content_type: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  tags: z.unknown().optional(),
});

/** Reads items, one JSON object per line; calls `stop` if the program prints too many bytes. */
export async function readItemLines(
  stream: Readable,
  options: LineOptions,
  stop: () => void,
): Promise<SourceListing> {
  const items = new Map<string, Item>();
  const problems: string[] = [];
  const tooMuch = () => {
    problems.push(`printed more than ${MOST_BYTES} bytes`);
    stop();
  };
  let number = 0;
  for await (const text of linesOf(stream, tooMuch)) {
    number += 1;
    if (text.trim() === "") continue;
    const line = Line.safeParse(parseJson(text));
    if (!line.success) problems.push(`line ${number} is not an item: ${firstIssue(line.error)}`);
    else if (items.has(line.data.source_id)) problems.push(`line ${number} repeats ${line.data.source_id}`);
    else items.set(line.data.source_id, itemOf(line.data, sha256(text), options));
  }
  return { items: [...items.values()], problems };
}

/** Counts bytes as they arrive: a line without an end would fill the memory. */
async function* linesOf(stream: Readable, tooMuch: () => void): AsyncGenerator<string> {
  let bytes = 0;
  let line = "";
  try {
    for await (const chunk of stream.setEncoding("utf8")) {
      bytes += Buffer.byteLength(chunk);
      if (bytes > MOST_BYTES) return tooMuch();
      const [first, ...others] = String(chunk).split("\n");
      line += first;
      for (const next of others) {
        yield line;
        line = next;
      }
    }
    yield line;
  } catch (thrown) {
    // We closed it; the code that closed it reports why.
    if (errnoOf(thrown) !== "ERR_STREAM_PREMATURE_CLOSE") throw thrown;
  }
}

function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue?.path.join(".") || "the line"}: ${issue?.message ?? "wrong"}`;
}

function itemOf(line: z.output<typeof Line>, digest: string, { tags, settings }: LineOptions): Item {
  const stamp = `${digest}:${settings}`;
  const updatedAt = instantOf(line.updated_at);
  const contentType = line.content_type ?? "text/plain";
  return {
    sourceId: line.source_id,
    stamp,
    ...(updatedAt !== undefined && { updatedAt }),
    read: async () => ({
      kind: "content",
      bytes: new TextEncoder().encode(line.body),
      // Bodies are already text; only HTML must be converted.
      format: formatOfMediaType(contentType) === "html" ? "html" : "text",
      contentType,
      stamp,
      sourceUrl: line.source_url ?? null,
      title: line.title ?? null,
      author: line.author ?? null,
      createdAt: instantOf(line.created_at) ?? updatedAt,
      updatedAt,
      metadata: line.metadata ?? {},
      tags: [...tags, ...listOf(line.tags)],
    }),
  };
}
