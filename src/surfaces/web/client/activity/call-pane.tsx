import type { CallDetail } from "../../../call-log.ts";
import { callPageTool } from "../app/api.ts";
import { clock, counted, milliseconds } from "../app/format.ts";
import { navigate } from "../app/router.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

/** One call: what the agent sent, and exactly what it received. */
export function CallPane({ id }: { readonly id: number }) {
  const { value, problem } = useLoaded<CallDetail>(
    (signal) => callPageTool("page_call", { id }, signal),
    String(id),
  );
  return (
    <aside class="panel call-pane" aria-label={`Call ${id}`}>
      <button type="button" class="quiet close" onClick={() => navigate("activity")}>
        Close
      </button>
      {problem !== undefined && <Problem text={problem} />}
      {value === undefined && problem === undefined && <Loading lines={8} />}
      {value && (
        <>
          <h2>{value.tool}</h2>
          <p class="faint">
            {clock(value.at)} · {value.client} · {milliseconds(value.milliseconds)} ·{" "}
            {counted(value.tokens, "token")}
            {value.isError ? " · failed" : ""}
          </p>
          <h3>Sent</h3>
          <TextBox label="What the agent sent">{JSON.stringify(value.input, null, 2)}</TextBox>
          <h3>
            Received <CopyButton text={value.given} />
          </h3>
          <TextBox class="given" label="What the agent received">
            {readable(value.given)}
          </TextBox>
        </>
      )}
    </aside>
  );
}

/** JSON is indented; any other text is shown as it was sent. */
function readable(given: string): string {
  if (!/^[[{]/.test(given)) return given;
  try {
    return JSON.stringify(JSON.parse(given), null, 2);
  } catch {
    return given;
  }
}
