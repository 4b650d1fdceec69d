import type { CallSummary } from "../../../call-log.ts";
import { counted, number } from "../app/format.ts";

const MOST_TOOLS = 7;

/** Tokens given per tool, as bars. */
export function TokensByTool({ calls }: { readonly calls: readonly CallSummary[] }) {
  const sums = new Map<string, { tokens: number; count: number }>();
  for (const { tool, tokens } of calls) {
    const sum = sums.get(tool) ?? { tokens: 0, count: 0 };
    sums.set(tool, { tokens: sum.tokens + tokens, count: sum.count + 1 });
  }
  const rows = [...sums].sort(([, a], [, b]) => b.tokens - a.tokens).slice(0, MOST_TOOLS);
  const most = Math.max(1, ...rows.map(([, { tokens }]) => tokens));
  return (
    <figure class="panel plot">
      <figcaption>Tokens given, by tool</figcaption>
      <dl class="bars">
        {rows.map(([tool, { tokens, count }]) => (
          <div key={tool} title={`${tool}: ${number(tokens)} tokens in ${counted(count, "call")}`}>
            <dt>{tool}</dt>
            <dd>
              <span class="bar" style={{ width: `${(tokens / most) * 100}%` }} />
              <span class="faint number">{number(tokens)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
