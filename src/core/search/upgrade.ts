import type { Embedder } from "./embedders/embedder.ts";
import type { Embeddings } from "./embedders/embeddings.ts";
import type { CachedVector } from "./embedders/vector-cache.ts";
import { IndexView, type KnownModel } from "./index-view.ts";
import { asFloat32 } from "./postings/bytes.ts";
import { unpackTexts } from "./prepare.ts";
import { blobIn } from "./rows.ts";
import type { ModelIdentity, UpgradeOptions } from "./search-index.ts";
import type { Segment } from "./segment.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { quantise, strideOf } from "./vectors/quantise.ts";

/** As much as is lost when the process dies; the cache of vectors keeps even that. */
const ROUND = 256;

interface Upgrade {
  readonly view: IndexView;
  readonly writer: SegmentWriter;
  readonly embeddings: Embeddings;
  readonly options: UpgradeOptions;
}
interface Pending {
  readonly segment: number;
  readonly local: number;
  readonly priority: number;
}

/**
 * Embeds with the better model, in rounds, what it has not embedded yet, most valuable chunks first. Every round looks at
 * the index as it is by then, so it may go on while others write, and stop at any time.
 */
export async function upgrade({ view, writer, embeddings, options }: Upgrade): Promise<number> {
  const embedder = await embeddings.better();
  if (!embedder) return 0;
  const write = options.write ?? (async (run: () => void) => run());
  let done = 0;
  for (;;) {
    options.signal.throwIfAborted();
    const { pending, missing, total } = nextRound(view, embedder.identity);
    options.progress.report({ label: "embedding", done: total - missing, total });
    if (pending.length === 0) break;
    const texts = textsOf(view, pending);
    const vectors = await vectorsOf(embedder, embeddings, texts, options.signal);
    await write(() =>
      view.store.transaction(() => keep(view, writer, embedder.identity, pending, texts, vectors)),
    );
    done += pending.length;
  }
  if (done > 0) await embeddings.cache.prune();
  return done;
}

function nextRound(view: IndexView, identity: ModelIdentity) {
  return view.store.snapshot(() => {
    view.refresh();
    const pending: Pending[] = [];
    for (const segment of view.segments) {
      const scales = storedScales(view, segment, identity);
      const priorities = segment.part("priorities");
      for (let local = 0; local < segment.chunks; local++) {
        if (!segment.isLive(local) || (scales[local] ?? 0) !== 0) continue;
        pending.push({ segment: segment.number, local, priority: priorities[local] ?? 0 });
      }
    }
    pending.sort((a, b) => b.priority - a.priority);
    return { pending: pending.slice(0, ROUND), missing: pending.length, total: view.live };
  });
}

function textsOf(view: IndexView, pending: readonly Pending[]): string[] {
  const packed = new Map<number, ReturnType<typeof unpackTexts>>();
  return pending.map(({ segment, local }) => {
    const known = packed.get(segment);
    const found = view.segments.find((candidate) => candidate.number === segment);
    const texts = known ?? (found && unpackTexts(found.part("texts")));
    if (texts) packed.set(segment, texts);
    return texts?.at(local) ?? "";
  });
}

async function vectorsOf(
  embedder: Embedder,
  { cache }: Embeddings,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<CachedVector[]> {
  const vectors = await cache.get(embedder.identity, texts);
  const missing = texts.map((text, index) => ({ text, index })).filter(({ index }) => !vectors[index]);
  // Texts of about one length together: a batch is padded to its longest.
  missing.sort((a, b) => a.text.length - b.text.length);
  for (let at = 0; at < missing.length; at += embedder.batchSize) {
    const batch = missing.slice(at, at + embedder.batchSize);
    const embedded = await embedder.embed(
      batch.map(({ text }) => text),
      signal,
    );
    const made = embedded.map((vector) => quantised(vector));
    for (const [place, { index }] of batch.entries()) vectors[index] = made[place];
    await cache.put(
      embedder.identity,
      batch.map(({ text }) => text),
      made,
    );
  }
  return vectors.map((vector) => vector ?? quantised(new Float32Array(embedder.identity.dims)));
}

function quantised(vector: Float32Array): CachedVector {
  const row = new Int8Array(strideOf(vector.length));
  return { scale: quantise(vector, row), row };
}

/** Puts the vectors where their chunks still are, by then: another process may have merged or replaced the segment. */
function keep(
  view: IndexView,
  writer: SegmentWriter,
  model: ModelIdentity,
  pending: readonly Pending[],
  texts: readonly string[],
  vectors: readonly CachedVector[],
): void {
  const now = new IndexView(view.store, view.tables);
  now.refresh();
  const stride = strideOf(model.dims);
  for (const segment of now.segments) {
    const own = pending
      .map((entry, index) => ({ ...entry, index }))
      .filter((entry) => entry.segment === segment.number);
    if (own.length === 0) continue;
    const { scales, rows } = storedVectors(now, segment, model, stride);
    for (const { local, index } of own) {
      const vector = vectors[index];
      if (!vector || texts[index] === undefined) continue;
      scales[local] = vector.scale;
      rows.set(vector.row, local * stride);
    }
    writer.putVectors(segment.number, { model, scales, rows });
  }
}

function storedScales(view: IndexView, segment: Segment, identity: ModelIdentity): Float32Array {
  const known = knownModel(view, identity);
  const find = view.store.prepare(
    `SELECT scales FROM ${view.tables.vectors} WHERE segment = ? AND model = ?`,
  );
  const scales = known && blobIn(find.get(segment.number, known.number), "scales");
  return scales ? asFloat32(scales) : new Float32Array(0);
}

function storedVectors(view: IndexView, segment: Segment, identity: ModelIdentity, stride: number) {
  const known = knownModel(view, identity);
  const find = view.store.prepare(
    `SELECT scales, rows FROM ${view.tables.vectors} WHERE segment = ? AND model = ?`,
  );
  const row = known && find.get(segment.number, known.number);
  const scales = blobIn(row, "scales");
  const rows = blobIn(row, "rows");
  if (!scales || !rows) {
    return { scales: new Float32Array(segment.chunks), rows: new Int8Array(segment.chunks * stride) };
  }
  return { scales: asFloat32(new Uint8Array(scales)), rows: new Int8Array(new Uint8Array(rows).buffer) };
}

const knownModel = (view: IndexView, identity: ModelIdentity): KnownModel | undefined =>
  view.models.find(
    (model) => model.id === identity.id && model.sha256 === identity.sha256 && model.dims === identity.dims,
  );
