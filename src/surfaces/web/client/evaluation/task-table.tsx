import { useState } from "preact/hooks";
import { TableBox } from "../parts/table-box.tsx";
import type { EvaluationReport } from "./recall-plot.tsx";

/** Each task with what every method found of it at the largest budget. */
export function TaskTable({ report }: { readonly report: EvaluationReport }) {
  const [onlyMissed, setOnlyMissed] = useState(false);
  const methods = report.methods.map(({ method }) => method).toReversed();
  const recallOf = (task: EvaluationReport["tasks"][number], method: string) =>
    task.answers.find((answer) => answer.method === method)?.at.at(-1)?.recall ?? 0;
  const shown = report.tasks.filter((task) => !onlyMissed || recallOf(task, "pack") < 1);
  return (
    <section class="panel" aria-labelledby="tasks-title">
      <div class="row">
        <h2 id="tasks-title">Tasks</h2>
        <label class="quiet-label">
          <input type="checkbox" checked={onlyMissed} onChange={() => setOnlyMissed(!onlyMissed)} /> Only
          those the pack missed in part
        </label>
      </div>
      <TableBox label="Tasks">
        <table>
          <thead>
            <tr>
              <th scope="col">Commit</th>
              <th scope="col">Task</th>
              {methods.map((method) => (
                <th key={method} scope="col" class="number">
                  {method}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((task) => (
              <tr key={task.commit}>
                <td>
                  <code>{task.commit.slice(0, 8)}</code>
                </td>
                <td class="task">
                  <details>
                    <summary>{task.task}</summary>
                    <ul class="faint">
                      {task.functions.map((name) => (
                        <li key={name} class="path">
                          {name}
                        </li>
                      ))}
                    </ul>
                  </details>
                </td>
                {methods.map((method) => (
                  <td key={method} class="number">
                    {recallOf(task, method).toFixed(2)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </section>
  );
}
