import { useState } from "preact/hooks";
import type { CallSummary } from "../../../call-log.ts";
import { clock, counted, milliseconds, number } from "../app/format.ts";
import { calls } from "../app/live.ts";
import { navigate, route } from "../app/router.ts";
import { CommandLine, EmptyState } from "../parts/states.tsx";
import { TableBox } from "../parts/table-box.tsx";
import { useResultKeys } from "../search/result-keys.ts";
import { CallPane } from "./call-pane.tsx";
import { LatencyPlot } from "./latency-plot.tsx";
import { TokensByTool } from "./tokens-by-tool.tsx";

const SHOWN = 200;

/** Every tool call of the agents that use this server, as it happens. */
export function ActivityView() {
  const [filter, setFilter] = useState("");
  const selected = Number(route.value.params.get("call") ?? 0);
  const found = calls.value.filter((call) => isWanted(call, filter.toLowerCase()));
  useResultKeys();
  return (
    <div class="activity">
      <header class="view-head">
        <h1>Activity</h1>
        <p class="faint">
          What agents asked this server and what they were given. It is in memory only: the last 500 calls,
          gone when the server stops.
        </p>
      </header>
      {calls.value.length === 0 && <NoCalls />}
      {calls.value.length > 0 && (
        <>
          <div class="columns plots">
            <TokensByTool calls={found} />
            <LatencyPlot calls={found} />
          </div>
          <div class="row">
            <input
              type="search"
              aria-label="Filter calls"
              placeholder="Filter by tool, client or question"
              value={filter}
              onInput={(event) => setFilter(event.currentTarget.value)}
            />
            <span class="faint">{totals(found)}</span>
            <SaveButton calls={found} />
          </div>
          <div class={selected > 0 ? "activity-split open" : "activity-split"}>
            <CallTable calls={found.slice(-SHOWN).toReversed()} selected={selected} />
            {selected > 0 && <CallPane id={selected} />}
          </div>
        </>
      )}
    </div>
  );
}

const NoCalls = () => (
  <EmptyState title="No agent has called this server yet.">
    <p>
      Calls appear here for clients that connect over HTTP. A client that starts <code>contextful mcp</code>{" "}
      itself runs its own process, which this page cannot see.
    </p>
    <CommandLine command={`claude mcp add --transport http contextful ${location.origin}/mcp`} />
  </EmptyState>
);

interface CallTableProps {
  readonly calls: readonly CallSummary[];
  readonly selected: number;
}

function CallTable({ calls: shown, selected }: CallTableProps) {
  return (
    <TableBox label="Calls">
      <table class="calls">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Tool</th>
            <th scope="col">Question</th>
            <th scope="col">Client</th>
            <th scope="col" class="number">
              Hits
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((call) => (
            <tr
              key={call.id}
              data-result
              tabIndex={-1}
              class={call.id === selected ? "selected" : undefined}
              onClick={() => navigate("activity", { call: String(call.id) })}
            >
              <td>{clock(call.at)}</td>
              <td>
                <span class="dot" data-state={call.isError ? "problem" : "ready"} />
                {call.tool}
                {call.isError && <span class="visually-hidden"> failed</span>}
              </td>
              <td class="question">
                <button
                  type="button"
                  class="link"
                  data-open
                  onClick={() => navigate("activity", { call: String(call.id) })}
                >
                  {call.question || "no question"}
                </button>
              </td>
              <td class="faint">
                {call.client} · {call.surface}
              </td>
              <td class="number">{call.hits ?? ""}</td>
              <td class="number">{number(call.tokens)}</td>
              <td class="number">{milliseconds(call.milliseconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** Writes to disk only because the person asks for it. */
function SaveButton({ calls: shown }: { readonly calls: readonly CallSummary[] }) {
  const save = () => {
    const address = URL.createObjectURL(
      new Blob([JSON.stringify(shown, null, 2)], { type: "application/json" }),
    );
    const link = document.createElement("a");
    link.href = address;
    link.download = "contextful-calls.json";
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <button type="button" class="quiet" onClick={save}>
      Save as JSON
    </button>
  );
}

const isWanted = ({ tool, client, question }: CallSummary, filter: string) =>
  filter === "" || [tool, client, question].some((text) => text.toLowerCase().includes(filter));

function totals(found: readonly CallSummary[]): string {
  const tokens = found.reduce((sum, call) => sum + call.tokens, 0);
  return `${counted(found.length, "call")}, ${counted(tokens, "token")}`;
}
