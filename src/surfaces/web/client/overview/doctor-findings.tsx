import { callPageTool } from "../app/api.ts";
import { Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

interface DoctorReport {
  readonly findings: readonly {
    readonly name: string;
    readonly state: "ok" | "note" | "problem";
    readonly detail: string;
  }[];
}
const STATES = { ok: "ready", note: "empty", problem: "problem" } as const;

/** What `contextful doctor` says. */
export function DoctorFindings({ changes }: { readonly changes: string }) {
  const { value, problem, reload } = useLoaded<DoctorReport>(
    (signal) => callPageTool("page_doctor", {}, signal),
    changes,
  );
  return (
    <section class="panel" aria-labelledby="doctor-title">
      <h2 id="doctor-title">Doctor</h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={6} />}
      <ul class="findings">
        {value?.findings.map(({ name, state, detail }, at) => (
          <li key={`${name} ${at}`}>
            <span class="dot" data-state={STATES[state]} />
            <span>
              {name}
              <span class="visually-hidden"> {state}</span>
            </span>
            <span class="faint">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
