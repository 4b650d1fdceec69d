import { useState } from "preact/hooks";
import { callTool, messageOf } from "../app/api.ts";
import { counted } from "../app/format.ts";
import { Loading, Problem } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { useLoaded } from "../parts/use-loaded.ts";

interface ConflictState {
  readonly status: "clean" | "conflicts";
  readonly report?: {
    readonly total: number;
    readonly unresolved: number;
    readonly conflicts: readonly {
      readonly file_path: string;
      readonly kind: string;
      readonly resolved: boolean;
    }[];
  };
}
interface ConflictSides {
  readonly ours_content: string;
  readonly theirs_content: string;
  readonly diff: string;
  readonly section_analysis?: { readonly auto_merged_content: string | null };
}
interface ConflictsProps {
  readonly mayWrite: boolean;
  onSettled(): void;
}

/** A merge that waits for decisions: both sides of each file and a merged text, settled by a click. */
export function Conflicts({ mayWrite, onSettled }: ConflictsProps) {
  const { value, reload } = useLoaded<ConflictState>(
    (signal) => callTool("context_merge_status", {}, signal),
    "conflicts",
  );
  const [problem, setProblem] = useState<string | undefined>(undefined);
  if (value?.report === undefined) return null;
  const { conflicts, unresolved, total } = value.report;
  const finish = (tool: string) =>
    callTool(tool).then(
      () => {
        reload();
        onSettled();
      },
      (thrown: unknown) => setProblem(messageOf(thrown)),
    );
  return (
    <section class="panel conflicts" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">
        Conflicts{" "}
        <span class="faint">
          {unresolved} of {counted(total, "file")} open
        </span>
      </h2>
      {problem !== undefined && <Problem text={problem} />}
      {conflicts.map(({ file_path, kind, resolved }) => (
        <details key={file_path} open={!resolved}>
          <summary>
            <span class="dot" data-state={resolved ? "ready" : "problem"} />
            <span class="path">{file_path}</span> <span class="faint">{kind}</span>{" "}
            {resolved && <span class="tag">settled</span>}
          </summary>
          <Sides file={file_path} mayWrite={mayWrite} onResolved={reload} />
        </details>
      ))}
      {mayWrite && (
        <div class="row">
          <button
            type="button"
            class="primary"
            disabled={unresolved > 0}
            onClick={() => finish("context_merge_finalize")}
          >
            Finish the merge
          </button>
          <button type="button" onClick={() => finish("context_merge_abort")}>
            Abort it
          </button>
        </div>
      )}
    </section>
  );
}

interface SidesProps {
  readonly file: string;
  readonly mayWrite: boolean;
  onResolved(): void;
}

function Sides({ file, mayWrite, onResolved }: SidesProps) {
  const { value, problem } = useLoaded<ConflictSides>(
    (signal) => callTool("context_conflict_detail", { file_path: file }, signal),
    file,
  );
  const [merged, setMerged] = useState<string | undefined>(undefined);
  const [failed, setFailed] = useState<string | undefined>(undefined);
  if (problem !== undefined) return <Problem text={problem} />;
  if (value === undefined) return <Loading />;
  const text = merged ?? value.section_analysis?.auto_merged_content ?? value.ours_content;
  const settle = (content: string) =>
    callTool("context_resolve_conflict", { file_path: file, content }).then(onResolved, (thrown: unknown) =>
      setFailed(messageOf(thrown)),
    );
  return (
    <div class="sides">
      <Side title="Ours" text={value.ours_content} mayWrite={mayWrite} onUse={settle} />
      <Side title="Theirs" text={value.theirs_content} mayWrite={mayWrite} onUse={settle} />
      <div>
        <h3>Merged</h3>
        <textarea
          aria-label={`Merged text of ${file}`}
          value={text}
          readOnly={!mayWrite}
          onInput={(event) => setMerged(event.currentTarget.value)}
        />
        {mayWrite && (
          <button type="button" onClick={() => settle(text)}>
            Use merged
          </button>
        )}
        {failed !== undefined && <Problem text={failed} />}
      </div>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly text: string;
  readonly mayWrite: boolean;
  onUse(text: string): unknown;
}

const Side = ({ title, text, mayWrite, onUse }: SideProps) => (
  <div>
    <h3>{title}</h3>
    <TextBox label={title}>{text || "(deleted)"}</TextBox>
    {mayWrite && (
      <button type="button" onClick={() => onUse(text)}>
        Use {title.toLowerCase()}
      </button>
    )}
  </div>
);
