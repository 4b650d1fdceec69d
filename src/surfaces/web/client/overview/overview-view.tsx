import type { z } from "zod";
import type { PageOverview } from "../../overview.ts";
import { callPageTool, session } from "../app/api.ts";
import { indexStatus } from "../app/live.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { Connect } from "./connect.tsx";
import { DoctorFindings } from "./doctor-findings.tsx";
import { IndexPanel } from "./index-panel.tsx";
import { Rooms } from "./rooms.tsx";

/** What is served here, what it holds, and how to connect an agent to it. */
export function OverviewView() {
  const lastIndexed = indexStatus.value?.statistics?.last_indexed_at ?? "";
  const overview = useLoaded<z.output<typeof PageOverview>>(
    (signal) => callPageTool("page_overview", {}, signal),
    lastIndexed,
  );
  const root = session.value?.root ?? "";
  return (
    <div class="overview">
      <header class="view-head">
        <h1>{overview.value?.name ?? root.split(/[\\/]/).pop()}</h1>
        <p class="faint path">
          {root} <CopyButton text={root} />
        </p>
      </header>
      {overview.problem !== undefined && <Problem text={overview.problem} onRetry={overview.reload} />}
      <IndexPanel overview={overview.value} />
      <div class="columns">
        <Rooms changes={lastIndexed} />
        <Connect />
      </div>
      <DoctorFindings changes={lastIndexed} />
    </div>
  );
}
