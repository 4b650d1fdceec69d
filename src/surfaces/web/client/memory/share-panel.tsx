import { useEffect, useRef, useState } from "preact/hooks";
import { callPageTool, callTool, messageOf } from "../app/api.ts";
import { counted } from "../app/format.ts";
import { Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

interface PlannedPush {
  readonly target: string | null;
  readonly files: readonly { readonly path: string; readonly change: string }[];
}
interface SyncResult {
  readonly status: string;
  readonly push_error?: string;
  readonly warnings?: readonly string[];
}
interface SharePanelProps {
  /** A new value means that entries may have changed. */
  readonly changes: unknown;
  readonly mayWrite: boolean;
  onPulled(): void;
}

/** What a push would publish. It is pushed only after a second look. */
export function SharePanel({ changes, mayWrite, onPulled }: SharePanelProps) {
  const turn = useRef(0);
  const [seen, setSeen] = useState(changes);
  if (seen !== changes) {
    turn.current += 1;
    setSeen(changes);
  }
  const { value, problem, reload } = useLoaded<PlannedPush>(
    (signal) => callPageTool("memory_push_plan", {}, signal),
    `plan ${turn.current}`,
  );
  const [isAsking, setAsking] = useState(false);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const run = (tool: string, input: object) => {
    setAsking(false);
    callTool<SyncResult>(tool, input).then(
      ({ status, push_error, warnings = [] }) => {
        setSaid([status.replaceAll("_", " "), push_error, ...warnings].filter(Boolean).join(". "));
        reload();
        onPulled();
      },
      (thrown: unknown) => setSaid(messageOf(thrown)),
    );
  };
  if (problem !== undefined) return <Problem text={problem} />;
  if (value === undefined) return null;
  const target = value.target ?? "a local commit: there is no remote";
  return (
    <section class="panel" aria-labelledby="share-title">
      <h2 id="share-title">Share</h2>
      <p>
        {value.files.length === 0
          ? "Everything public is pushed."
          : `A push would publish ${counted(value.files.length, "file")} to ${target}.`}
      </p>
      <PlanList plan={value} />
      {said !== undefined && (
        <p class="notice" role="status">
          {said}
        </p>
      )}
      {mayWrite && (
        <div class="row">
          <button type="button" disabled={value.files.length === 0} onClick={() => setAsking(true)}>
            Push
          </button>
          <button type="button" onClick={() => run("context_sync_pull", { strategy: "agent" })}>
            Pull
          </button>
        </div>
      )}
      {isAsking && (
        <Confirm
          plan={value}
          target={target}
          onYes={() => run("context_sync_push", {})}
          onNo={() => setAsking(false)}
        />
      )}
    </section>
  );
}

const PlanList = ({ plan }: { readonly plan: PlannedPush }) => (
  <ul class="plan">
    {plan.files.slice(0, 100).map(({ path, change }) => (
      <li key={path}>
        <span class="tag">{change}</span> <span class="path">{path}</span>
      </li>
    ))}
  </ul>
);

interface ConfirmProps {
  readonly plan: PlannedPush;
  readonly target: string;
  onYes(): void;
  onNo(): void;
}

function Confirm({ plan, target, onYes, onNo }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onNo} aria-labelledby="push-title">
      <h2 id="push-title">Push {counted(plan.files.length, "file")}?</h2>
      <p>To {target}. Everybody who can read it will see them.</p>
      <PlanList plan={plan} />
      <div class="row">
        <button type="button" class="primary" onClick={onYes}>
          Push
        </button>
        <button type="button" onClick={onNo}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
