import { useState } from "preact/hooks";
import { callTool, messageOf } from "../app/api.ts";
import { Problem } from "../parts/states.tsx";
import { MEMORY_KINDS, type MemoryKind, type ShownEntry } from "./memory-entries.ts";

interface EntryFormProps {
  readonly kind: MemoryKind;
  /** The entry to change; without it a new one is added. */
  readonly entry?: ShownEntry;
  onSaved(): void;
  onCancel(): void;
}
interface EntryDraft {
  readonly key: string;
  readonly description: string;
  readonly text: string;
  readonly context: string;
  readonly consequences: string;
  readonly scope: string;
  readonly anchors: string;
}
interface EntryField {
  readonly name: keyof EntryDraft;
  readonly label: string;
  readonly isLong?: boolean;
}

/** The fields of each kind, as the tools that write them have them. */
const FIELDS: Readonly<Record<MemoryKind, readonly EntryField[]>> = {
  knowledge: [
    { name: "key", label: "Key" },
    { name: "text", label: "Text (Markdown)", isLong: true },
    { name: "anchors", label: "Anchors: path or path#Symbol, separated by commas" },
  ],
  convention: [
    { name: "key", label: "Key" },
    { name: "text", label: "Rule (Markdown)", isLong: true },
    { name: "anchors", label: "Anchors: path or path#Symbol, separated by commas" },
  ],
  decision: [
    { name: "key", label: "Title" },
    { name: "context", label: "Why it was needed", isLong: true },
    { name: "text", label: "What was decided", isLong: true },
    { name: "consequences", label: "What follows", isLong: true },
  ],
  skill: [
    { name: "key", label: "Name: a-z, 0-9 and dashes" },
    { name: "description", label: "What it does and when to use it" },
    { name: "text", label: "Instructions (Markdown)", isLong: true },
  ],
};

/** Adds or changes an entry with the tools that agents use, so the same rules hold. */
export function EntryForm({ kind: firstKind, entry, onSaved, onCancel }: EntryFormProps) {
  const [kind, setKind] = useState(firstKind);
  const [draft, setDraft] = useState<EntryDraft>(draftOf(entry));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const change = (part: Partial<EntryDraft>) => setDraft({ ...draft, ...part });
  const save = (event: Event) => {
    event.preventDefault();
    saveEntry(kind, draft).then(onSaved, (thrown: unknown) => setProblem(messageOf(thrown)));
  };
  return (
    <form class={entry ? "entry-form" : "entry-form panel"} onSubmit={save}>
      {!entry && (
        <label>
          Kind
          <select
            value={kind}
            onChange={(event) =>
              setKind(MEMORY_KINDS.find((each) => each === event.currentTarget.value) ?? kind)
            }
          >
            {MEMORY_KINDS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      )}
      {FIELDS[kind].map(({ name, label, isLong }) => (
        <div class="field" key={name}>
          <label for={`entry-${name}`}>{label}</label>
          {isLong ? (
            <textarea
              id={`entry-${name}`}
              value={draft[name]}
              onInput={(event) => change({ [name]: event.currentTarget.value })}
            />
          ) : (
            <input
              id={`entry-${name}`}
              type="text"
              value={draft[name]}
              readOnly={entry !== undefined && name === "key"}
              onInput={(event) => change({ [name]: event.currentTarget.value })}
            />
          )}
        </div>
      ))}
      <label>
        Who sees it
        <select value={draft.scope} onChange={(event) => change({ scope: event.currentTarget.value })}>
          <option value="public">public: the whole team</option>
          <option value="private">private: this machine only</option>
          <option value="ephemeral">ephemeral: until the task ends</option>
        </select>
      </label>
      {problem !== undefined && <Problem text={problem} />}
      <div class="row">
        <button type="submit" class="primary" disabled={draft.key.trim() === ""}>
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

const draftOf = (entry: ShownEntry | undefined): EntryDraft => ({
  key: entry?.key ?? "",
  description: entry?.kind === "skill" ? entry.title.slice(entry.key.length + 2) : "",
  text: (entry?.text ?? "").replace(/^---\n[\s\S]*?\n---\n+/, ""),
  context: "",
  consequences: "",
  scope: entry?.scope ?? "public",
  anchors: entry?.anchors?.join(", ") ?? "",
});

function saveEntry(kind: MemoryKind, draft: EntryDraft): Promise<unknown> {
  const { key, description, text, context, consequences, scope } = draft;
  const anchors = draft.anchors
    .split(",")
    .map((anchor) => anchor.trim())
    .filter((anchor) => anchor !== "");
  if (kind === "decision")
    return callTool("context_record_decision", { title: key, context, decision: text, consequences, scope });
  if (kind === "skill")
    return callTool("context_add_skill", { name: key, description, instructions: text, scope });
  const tool = kind === "knowledge" ? "context_add_knowledge" : "context_add_convention";
  return callTool(tool, { key, content: text, scope, anchors });
}
