import type { Embedder } from "./embedders/embedder.ts";
import type { Embeddings } from "./embedders/embeddings.ts";
import type { CachedVector } from "./embedders/vector-cache.ts";
import { IndexView } from "./index-view.ts";
import type { ModelIdentity, UpgradeOptions } from "./search-index.ts";
import type { IndexSegment } from "./segments/segment.ts";
import type { SegmentWriter } from "./segments/segment-writer.ts";
import { storedScales, storedVectors } from "./segments/stored-vectors.ts";
import { quantise, strideOf } from "./vectors/quantise.ts";

/** As much as is lost when the process dies; the cache of vectors keeps even that. */
const ROUND = 256;
/** The quick model needs less than a second for these, and rewriting a segment for fewer would take longer. */
const QUICK_ROUND = 4_096;

interface Upgrade {
  readonly view: IndexView;
  readonly writer: SegmentWriter;
  readonly embeddings: Embeddings;
  readonly options: UpgradeOptions;
}
interface PendingChunk {
  readonly segment: number;
  readonly local: number;
  readonly priority: number;
}
interface Embedded extends PendingChunk {
  readonly vector: CachedVector;
}

interface RoundOfVectors {
  readonly identity: ModelIdentity;
  readonly size: number;
  vectorsOf(texts: readonly string[]): Promise<(CachedVector | undefined)[]>;
}

/**
 * Embeds what a model has not embedded yet, in rounds, most valuable chunks first: by the quick model if an older one made the
 * index, then by the better one. Every round looks at the index as it is by then, so it may go on while others write, and
 * stop at any time.
 */
export async function upgrade(work: Upgrade): Promise<number> {
  const renewed = await renewQuickVectors(work);
  const embedder = await work.embeddings.retriedBetter();
  if (!embedder) return renewed;
  const { embeddings, options } = work;
  const done = await embedRest(work, {
    identity: embedder.identity,
    size: ROUND,
    vectorsOf: (texts) => vectorsOf(texts, { embedder, embeddings, signal: options.signal }),
  });
  if (done > 0) await embeddings.cache.prune();
  return renewed + done;
}

/** Until the first round is written, an index of an older quick model is searched by words alone. */
async function renewQuickVectors(work: Upgrade): Promise<number> {
  const model = await work.embeddings.quick();
  if (!model) return 0;
  const stride = strideOf(model.identity.dims);
  const done = await embedRest(work, {
    identity: model.identity,
    size: QUICK_ROUND,
    async vectorsOf(texts) {
      const made: CachedVector[] = [];
      for (const [number, text] of texts.entries()) {
        // This thread also answers searches.
        if (number % ROUND === ROUND - 1) await new Promise((resume) => setImmediate(resume));
        const row = new Int8Array(stride);
        made.push({ scale: model.write(text, row), row });
      }
      return made;
    },
  });
  if (done > 0) await writeOf(work)(() => work.writer.dropOlderVectors(model.identity));
  return done;
}

const writeOf = ({ options }: Upgrade) => options.write ?? (async (run: () => void) => run());

async function embedRest(work: Upgrade, { identity, size, vectorsOf }: RoundOfVectors): Promise<number> {
  const { view, writer, options } = work;
  let done = 0;
  for (;;) {
    options.signal.throwIfAborted();
    const { pending, texts, missing, total } = nextRound(work, identity, size);
    options.progress.report({ label: "embedding", done: total - missing, total });
    if (pending.length === 0) return done;
    const vectors = await vectorsOf(texts);
    const embedded = pending.map((chunk, index) => ({
      ...chunk,
      vector: vectors[index] ?? quantised(new Float32Array(identity.dims)),
    }));
    await writeOf(work)(() => view.store.transaction(() => keep({ view, writer }, identity, embedded)));
    done += pending.length;
  }
}

function nextRound({ view, options }: Upgrade, identity: ModelIdentity, size: number) {
  return view.store.snapshot(() => {
    view.refresh();
    const model = view.model(identity);
    const pending: PendingChunk[] = [];
    for (const segment of view.segments) {
      const scales = model && storedScales(view, segment.number, model.number);
      const priorities = segment.part("priorities");
      for (let local = 0; local < segment.chunks; local++) {
        if (!segment.isLive(local) || (scales?.[local] ?? 0) !== 0) continue;
        pending.push({ segment: segment.number, local, priority: priorities[local] ?? 0 });
      }
    }
    pending.sort((a, b) => b.priority - a.priority);
    const round = pending.slice(0, size);
    // Read here: once the snapshot ends, another process may drop a segment and its texts.
    return {
      pending: round,
      texts: textsOf(view, round, options.textOf),
      missing: pending.length,
      total: view.live,
    };
  });
}

function textsOf(
  view: IndexView,
  pending: readonly PendingChunk[],
  textOf: UpgradeOptions["textOf"],
): string[] {
  const wanted = new Set(pending.map(({ segment }) => segment));
  const readers = new Map(
    view.segments
      .filter(({ number }) => wanted.has(number))
      .map((segment) => [segment.number, textReader(segment, textOf)]),
  );
  return pending.map(({ segment, local }) => readers.get(segment)?.(local) ?? "");
}

function textReader(
  segment: IndexSegment,
  textOf: UpgradeOptions["textOf"],
): (local: number) => string | undefined {
  const packed = segment.texts();
  if (packed) return (local) => packed.at(local);
  return (local) => textOf?.(segment.chunkId(local));
}

async function vectorsOf(
  texts: readonly string[],
  {
    embedder,
    embeddings: { cache },
    signal,
  }: { embedder: Embedder; embeddings: Embeddings; signal: AbortSignal },
): Promise<(CachedVector | undefined)[]> {
  const vectors = await cache.get(embedder.identity, texts);
  const missing = texts.map((text, index) => ({ text, index })).filter(({ index }) => !vectors[index]);
  // Texts of about one length together: a batch is padded to its longest.
  missing.sort((a, b) => a.text.length - b.text.length);
  for (let at = 0; at < missing.length; at += embedder.batchSize) {
    const batch = missing.slice(at, at + embedder.batchSize);
    const batchTexts = batch.map(({ text }) => text);
    const made = (await embedder.embed(batchTexts, signal)).map(quantised);
    for (const [place, { index }] of batch.entries()) vectors[index] = made[place];
    await cache.put(embedder.identity, batchTexts, made);
  }
  return vectors;
}

function quantised(vector: Float32Array): CachedVector {
  const row = new Int8Array(strideOf(vector.length));
  return { scale: quantise(vector, row), row };
}

/** Puts the vectors where their chunks still are, by then: another process may have merged or replaced the segment. */
function keep(
  { view, writer }: Pick<Upgrade, "view" | "writer">,
  model: ModelIdentity,
  embedded: readonly Embedded[],
): void {
  const now = new IndexView(view.store, view.tables);
  now.refresh();
  const known = now.model(model);
  const stride = strideOf(model.dims);
  for (const { number, chunks } of now.segments) {
    const own = embedded.filter(({ segment }) => segment === number);
    if (own.length === 0) continue;
    const { scales, rows } = (known && storedVectors(now, number, known.number)) ?? {
      scales: new Float32Array(chunks),
      rows: new Int8Array(chunks * stride),
    };
    for (const { local, vector } of own) {
      scales[local] = vector.scale;
      rows.set(vector.row, local * stride);
    }
    writer.putVectors(number, { model, scales, rows });
  }
}
