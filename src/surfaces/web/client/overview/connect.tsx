import { useState } from "preact/hooks";
import { callPageTool } from "../app/api.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { CommandLine, Loading, Problem } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

interface ClientEntries {
  readonly clients: readonly { readonly id: string; readonly entry: string }[];
}

/** The exact text for the configuration of each client, as `contextful setup` writes it. */
export function Connect() {
  const { value, problem, reload } = useLoaded<ClientEntries>(
    (signal) => callPageTool("page_clients", {}, signal),
    "clients",
  );
  const [chosen, setChosen] = useState("claude-code");
  const entry = value?.clients.find(({ id }) => id === chosen)?.entry ?? "";
  return (
    <section class="panel" aria-labelledby="connect-title">
      <h2 id="connect-title">Connect a client</h2>
      <p>
        For every client on this machine: <CommandLine command="contextful setup" />
      </p>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={6} />}
      {value && (
        <>
          <div class="row">
            <label>
              Client{" "}
              <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
                {value.clients.map(({ id }) => (
                  <option key={id} value={id}>
                    {id}
                  </option>
                ))}
              </select>
            </label>
            <CopyButton text={entry} label="Copy entry" />
          </div>
          <TextBox class="entry" label={`Entry for ${chosen}`}>
            {entry}
          </TextBox>
        </>
      )}
      <p>
        To this running server, so that its calls are seen under Activity:
        <CommandLine command={`claude mcp add --transport http contextful ${location.origin}/mcp`} />
      </p>
    </section>
  );
}
