import { callPageTool } from "../app/api.ts";
import { ago, counted } from "../app/format.ts";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { type EvaluationReport, RecallPlot } from "./recall-plot.tsx";
import { TaskTable } from "./task-table.tsx";

/** The last report of `contextful eval`: how well packs and searches serve this repository. */
export function EvaluationView() {
  const { value, problem, reload } = useLoaded<{ made_at: string | null; report: EvaluationReport | null }>(
    (signal) => callPageTool("evaluation_report", {}, signal),
    "evaluation",
  );
  return (
    <div class="evaluation">
      <header class="view-head">
        <h1>Evaluation</h1>
        {value?.report && (
          <p class="faint">
            {counted(value.report.tasks.length, "task")} from the history at{" "}
            <code>{value.report.head.slice(0, 10)}</code>, measured {ago(value.made_at ?? "")}
          </p>
        )}
      </header>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={8} />}
      {value?.report === null && (
        <EmptyState title="This project was not measured yet." command="contextful eval">
          <p>
            Its own commits are the tasks, what they changed is the answer. It takes some minutes and does not
            touch the work tree.
          </p>
        </EmptyState>
      )}
      {value?.report && (
        <>
          <RecallPlot report={value.report} />
          <TaskTable report={value.report} />
        </>
      )}
    </div>
  );
}
