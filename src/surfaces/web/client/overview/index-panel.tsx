import type { z } from "zod";
import type { PageOverview } from "../../overview.ts";
import { ago, counted, number, percent } from "../app/format.ts";
import { type IndexStatus, indexStatus } from "../app/live.ts";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { type BarPart, StackedBar } from "../parts/stacked-bar.tsx";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";

type Overview = z.output<typeof PageOverview>;

/** The index: how much is in it, in which languages, how far behind it is, and how far the models are. */
export function IndexPanel({ overview }: { readonly overview: Overview | undefined }) {
  const status = indexStatus.value;
  const problem = status?.problem ?? overview?.problem;
  return (
    <section class="panel" aria-labelledby="index-title">
      <h2 id="index-title">Index</h2>
      {problem !== undefined && <Problem text={problem} />}
      {status === undefined && <Loading lines={4} />}
      {status?.indexing && <Running {...status.indexing} />}
      {status?.statistics && <Figures statistics={status.statistics} changed={overview?.files_changed} />}
      {status && !status.statistics && !status.indexing && problem === undefined && (
        <EmptyState title="This project is not indexed yet." command="contextful code index">
          <p>The first search of an agent indexes it too.</p>
        </EmptyState>
      )}
      {overview && overview.languages.length > 0 && (
        <StackedBar label="Lines by language" unit="lines" parts={languageParts(overview.languages)} />
      )}
      {status?.health && status.statistics && (
        <Models health={status.health} chunks={status.statistics.total_chunks} />
      )}
    </section>
  );
}

function Running({ files_done, files_total }: NonNullable<IndexStatus["indexing"]>) {
  return (
    <div class="running">
      <p>
        Indexing: {number(files_done)} of {counted(files_total, "file")}
      </p>
      <ProgressBar label="Files indexed" value={files_done} max={files_total} />
    </div>
  );
}

function Figures({
  statistics,
  changed,
}: {
  readonly statistics: NonNullable<IndexStatus["statistics"]>;
  readonly changed: number | undefined;
}) {
  const { total_files, total_text_files, total_symbols, total_chunks, index_size_mb, last_indexed_at } =
    statistics;
  return (
    <dl class="figures">
      <Figure
        name="source files"
        value={number(total_files)}
        note={`${number(total_text_files)} other texts`}
      />
      <Figure name="symbols" value={number(total_symbols)} note={`${number(total_chunks)} chunks`} />
      <Figure
        name="on disk"
        value={`${index_size_mb.toFixed(1)} MB`}
        note={`indexed ${ago(last_indexed_at)}`}
      />
      <Figure
        name="behind"
        value={changed === undefined ? "…" : number(changed)}
        note={changed === 0 ? "up to date" : "files changed since"}
        state={changed ? "stale" : "ready"}
      />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly state?: string;
}

const Figure = ({ name, value, note, state }: FigureProps) => (
  <div data-state={state}>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      <span class="faint">{note}</span>
    </dd>
  </div>
);

interface ModelsProps {
  readonly health: NonNullable<IndexStatus["health"]>;
  readonly chunks: number;
}

function Models({ health, chunks }: ModelsProps) {
  return (
    <div class="models">
      {(health.embedding_coverage ?? []).map(({ model, embedded }) => (
        <div key={model} class="model">
          <span>
            {model.split("@")[0]} {model === health.embedding_model && <span class="tag">in use</span>}
          </span>
          <ProgressBar label={`Chunks embedded by ${model}`} value={embedded} max={chunks} />
          <span class="faint">{percent(embedded, chunks)}</span>
        </div>
      ))}
      {(health.problems ?? []).map((text) => (
        <Problem key={text} text={text} />
      ))}
    </div>
  );
}

const MOST_NAMED = 9;

function languageParts(languages: Overview["languages"]): BarPart[] {
  const named = languages.filter(({ language }) => language !== "").slice(0, MOST_NAMED);
  const others = languages.filter((each) => !named.includes(each)).reduce((sum, { lines }) => sum + lines, 0);
  return [
    ...named.map(({ language, lines }, at) => ({ name: language, value: lines, color: at + 1 })),
    ...(others > 0 ? [{ name: "other", value: others, color: 0 }] : []),
  ];
}
