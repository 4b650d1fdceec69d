import { useState } from "preact/hooks";
import { callPageTool, hasTool, messageOf } from "../app/api.ts";
import { ago, counted, number } from "../app/format.ts";
import { progress } from "../app/live.ts";
import { ProgressBar } from "../parts/progress-bar.tsx";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";
import { TableBox } from "../parts/table-box.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { type ListedSource, sourceRows } from "./source-rows.ts";

interface SyncAnswer {
  readonly sources: readonly {
    readonly source: string;
    readonly status: "ok" | "partial" | "failed";
    readonly written: number;
    readonly removed: number;
    readonly problems: readonly { readonly source_id: string | null; readonly reason: string }[];
  }[];
}

export function Sources() {
  const { value, problem, reload } = useLoaded(sourceRows, "sources");
  const [sync, setSync] = useState<SyncAnswer | string | "running" | undefined>(undefined);
  const start = (target: string) => {
    setSync("running");
    callPageTool<SyncAnswer>("documents_sync", { target }).then(
      (answer) => {
        setSync(answer);
        reload();
      },
      (thrown: unknown) => setSync(messageOf(thrown)),
    );
  };
  return (
    <section class="panel" aria-labelledby="sources-title">
      <div class="row">
        <h2 id="sources-title">Sources</h2>
        {hasTool("documents_sync") && (
          <button type="button" disabled={sync === "running"} onClick={() => start("all")}>
            {sync === "running" ? "Syncing" : "Sync all"}
          </button>
        )}
      </div>
      {sync === "running" && <Running />}
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading />}
      {value?.rows.length === 0 && (
        <EmptyState title="No source is configured." command="contextful documents add docs" />
      )}
      {value && value.rows.length > 0 && <SourceTable rows={value.rows} />}
      {value?.problems.map((text) => (
        <Problem key={text} text={text} />
      ))}
      {typeof sync === "string" && sync !== "running" && <Problem text={sync} />}
      {typeof sync === "object" && <SyncReportList answer={sync} />}
    </section>
  );
}

function Running() {
  const step = progress.value;
  if (step?.tool !== "documents_sync") return <p role="status">Syncing…</p>;
  return (
    <p role="status">
      {step.label} {number(step.done)}
      {step.total === undefined ? "" : ` of ${number(step.total)}`}
      <ProgressBar label="Sync" value={step.done} max={step.total ?? step.done} />
    </p>
  );
}

const SourceTable = ({ rows }: { readonly rows: readonly ListedSource[] }) => (
  <TableBox label="Sources">
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" class="number">
            Documents
          </th>
          <th scope="col" class="number">
            Chunks
          </th>
          <th scope="col">Last sync</th>
          <th scope="col">Notes</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, isHealthy, documents, chunks, lastSync, notes }) => (
          <tr key={name}>
            <td>
              <span class="dot" data-state={isHealthy ? "ready" : "problem"} />
              {name}
            </td>
            <td class="number">{number(documents)}</td>
            <td class="number">{number(chunks)}</td>
            <td>{lastSync === null ? "never" : ago(lastSync)}</td>
            <td class="faint">{notes}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

const SyncReportList = ({ answer }: { readonly answer: SyncAnswer }) => (
  <ul class="sync-report" role="status">
    {answer.sources.map(({ source, status, written, removed, problems }) => (
      <li key={source}>
        <span class="dot" data-state={status === "ok" ? "ready" : "problem"} />
        {source}: {counted(written, "document")} written, {number(removed)} removed
        {problems.map(({ source_id, reason }) => (
          <p class="faint" key={`${source_id} ${reason}`}>
            {source_id ?? source}: {reason}
          </p>
        ))}
      </li>
    ))}
  </ul>
);
