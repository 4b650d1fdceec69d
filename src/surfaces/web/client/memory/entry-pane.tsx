import { useState } from "preact/hooks";
import { callPageTool, callTool, messageOf } from "../app/api.ts";
import { ago } from "../app/format.ts";
import { navigate } from "../app/router.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Problem } from "../parts/states.tsx";
import { TextBox } from "../parts/text-box.tsx";
import { EntryForm } from "./entry-form.tsx";
import { EntryTags } from "./entry-timeline.tsx";
import type { ShownEntry } from "./memory-entries.ts";

interface EntryPaneProps {
  readonly entry: ShownEntry;
  readonly mayWrite: boolean;
  onChanged(): void;
}

/** One entry, with what it is anchored to and how it can be changed. */
export function EntryPane({ entry, mayWrite, onChanged }: EntryPaneProps) {
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isEditable = mayWrite && entry.kind !== "decision";
  const done = (close: boolean) => {
    setEditing(false);
    onChanged();
    if (close) navigate("memory");
  };
  const remove = () =>
    removeEntry(entry).then(
      () => done(true),
      (thrown: unknown) => setProblem(messageOf(thrown)),
    );
  return (
    <aside class="panel entry-pane" aria-label={`${entry.kind} ${entry.key}`}>
      <div class="row pane-tools">
        <span class="kind">{entry.kind}</span>
        <CopyButton text={entry.text} />
        {isEditable && !isEditing && (
          <button type="button" class="quiet" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
        {mayWrite && (
          <button
            type="button"
            class="quiet danger"
            onClick={() => (isRemoving ? void remove() : setRemoving(true))}
          >
            {isRemoving ? "Remove it now" : "Remove"}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => navigate("memory")}>
          Close
        </button>
      </div>
      <h2>{entry.title}</h2>
      <p>
        <EntryTags entry={entry} />
      </p>
      {problem !== undefined && <Problem text={problem} />}
      {isEditing && entry.kind !== "decision" ? (
        <EntryForm
          kind={entry.kind}
          entry={entry}
          onSaved={() => done(false)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <TextBox label={`Text of ${entry.key}`}>{entry.text}</TextBox>
      )}
      <p class="faint">
        Written {ago(entry.updated_at)}
        {entry.author ? ` by ${entry.author}` : ""}
      </p>
      {entry.anchors && entry.anchors.length > 0 && (
        <ul class="anchors" aria-label="Anchors">
          {entry.anchors.map((anchor) => {
            const change = entry.changed?.find((each) => each.anchor === anchor)?.change;
            return (
              <li key={anchor}>
                <span class="path">{anchor}</span>{" "}
                {change !== undefined && (
                  <span class="tag" data-state="stale">
                    {change} since
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </aside>
  );
}

function removeEntry({ kind, key }: ShownEntry): Promise<unknown> {
  if (kind === "knowledge") return callTool("context_remove_knowledge", { key });
  if (kind === "convention") return callTool("context_rm_convention", { key });
  if (kind === "skill") return callTool("context_remove_skill", { name: key });
  return callPageTool("memory_decision_rm", { id: String(Number.parseInt(key, 10) || key) });
}
