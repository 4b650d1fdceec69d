import { milliseconds, number } from "../app/format.ts";

import { TableBox } from "../parts/table-box.tsx";

interface ReportInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}
export interface EvaluationReport {
  readonly head: string;
  readonly tasks: readonly {
    readonly commit: string;
    readonly task: string;
    readonly functions: readonly string[];
    readonly answers: readonly {
      readonly method: string;
      readonly at: readonly { readonly budget: number; readonly recall: number }[];
      readonly given: readonly string[];
    }[];
  }[];
  readonly methods: readonly {
    readonly method: string;
    readonly budgets: readonly {
      readonly budget: number;
      readonly recall: ReportInterval;
      readonly tokens: number;
    }[];
    readonly mrr: number;
    readonly milliseconds: number;
  }[];
}
const METHOD_COLORS: Readonly<Record<string, number>> = { pack: 1, search: 2, bm25: 3, grep: 0 };

/** Recall of each method at each budget, with its interval. */
export function RecallPlot({ report }: { readonly report: EvaluationReport }) {
  const methods = report.methods.toReversed();
  return (
    <section class="panel" aria-labelledby="recall-title">
      <h2 id="recall-title">Share of the changed functions that the answer has</h2>
      <TableBox label="Recall">
        <table class="recall">
          <thead>
            <tr>
              <th scope="col">Method</th>
              {methods[0]?.budgets.map(({ budget }) => (
                <th key={budget} scope="col">
                  {number(budget)} tokens
                </th>
              ))}
              <th scope="col" class="number">
                MRR
              </th>
              <th scope="col" class="number">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {methods.map(({ method, budgets, mrr, milliseconds: time }) => (
              <tr key={method}>
                <th scope="row">{method}</th>
                {budgets.map(({ budget, recall }) => (
                  <td key={budget}>
                    <RecallBar recall={recall} color={METHOD_COLORS[method] ?? 4} />
                  </td>
                ))}
                <td class="number">{mrr.toFixed(3)}</td>
                <td class="number">{milliseconds(time)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
    </section>
  );
}

const share = (value: number) => `${Math.max(0, Math.min(1, value)) * 100}%`;

const RecallBar = ({ recall, color }: { readonly recall: ReportInterval; readonly color: number }) => (
  <span class="recall-bar" title={`${recall.low.toFixed(3)} to ${recall.high.toFixed(3)}`}>
    <span class="recall-track">
      <span class={`recall-fill fill-${color}`} style={{ width: share(recall.mean) }} />
      <span
        class="recall-range"
        style={{ left: share(recall.low), width: share(recall.high - recall.low) }}
      />
    </span>
    <span class="number">{recall.mean.toFixed(3)}</span>
  </span>
);
