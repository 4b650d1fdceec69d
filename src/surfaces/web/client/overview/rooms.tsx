import type { z } from "zod";
import type { RoomStates } from "../../room-states.ts";
import { callPageTool } from "../app/api.ts";
import { CommandLine, Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

const WORDS = { ready: "ready", empty: "empty", stale: "out of date", problem: "problem" } as const;

/** Each room's state, with the one command that fills it. */
export function Rooms({ changes }: { readonly changes: string }) {
  const { value, problem, reload } = useLoaded<z.output<typeof RoomStates>>(
    (signal) => callPageTool("page_rooms", {}, signal),
    changes,
  );
  return (
    <section class="panel" aria-labelledby="rooms-title">
      <h2 id="rooms-title">Rooms</h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={8} />}
      <ul class="rooms">
        {value?.rooms.map(({ room, summary, state, detail, command }) => (
          <li key={room}>
            <span class="dot" data-state={state} />
            <div>
              <p>
                <strong title={summary}>{room.replace("-", " ")}</strong>{" "}
                <span class={state === "ready" ? "visually-hidden" : "tag"}>{WORDS[state]}</span>
              </p>
              <p class="faint">{detail}</p>
              {command !== undefined && <CommandLine command={command} />}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
