import { useState } from "preact/hooks";
import { hasTool, isTeam, session } from "../app/api.ts";
import { navigate, route } from "../app/router.ts";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { useResultKeys } from "../search/result-keys.ts";
import { Conflicts } from "./conflicts.tsx";
import { EntryForm } from "./entry-form.tsx";
import { EntryPane } from "./entry-pane.tsx";
import { EntryTimeline } from "./entry-timeline.tsx";
import { MEMORY_KINDS, type MemoryKind, readMemory, type ShownEntry } from "./memory-entries.ts";
import { SharePanel } from "./share-panel.tsx";

const FILTERS = ["all", ...MEMORY_KINDS, "suspect"] as const;
type MemoryFilter = (typeof FILTERS)[number];

/** What the team knows, agreed on and decided, as a timeline; conflicts; and what would be pushed. */
export function MemoryView() {
  const { value, problem, reload } = useLoaded(readMemory, "memory");
  const [filter, setFilter] = useState<MemoryFilter>("all");
  const [query, setQuery] = useState("");
  const [adding, setAdding] = useState<MemoryKind | undefined>(undefined);
  const [pulls, setPulls] = useState(0);
  const selected = route.value.params.get("entry") ?? "";
  const shown = (value ?? []).filter((entry) => isShown(entry, filter, query.toLowerCase()));
  const entry = value?.find((each) => nameOf(each) === selected);
  const mayWrite = session.value?.read_only === false;
  const saved = () => {
    setAdding(undefined);
    reload();
  };
  const pulled = () => {
    setPulls(pulls + 1);
    reload();
  };
  useResultKeys();
  return (
    <div class="memory">
      <header class="view-head row">
        <h1>Memory</h1>
        {mayWrite && (
          <button type="button" class="primary" onClick={() => setAdding("knowledge")}>
            Add
          </button>
        )}
      </header>
      {adding !== undefined && (
        <EntryForm kind={adding} onSaved={saved} onCancel={() => setAdding(undefined)} />
      )}
      {!isTeam() && <Conflicts key={pulls} onSettled={reload} mayWrite={mayWrite} />}
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={8} />}
      {value?.length === 0 && (
        <EmptyState
          title="The team has written nothing down yet."
          command={'contextful memory knowledge add tech-stack "PostgreSQL is our database."'}
        />
      )}
      {value && value.length > 0 && (
        <>
          <div class="row">
            <input
              type="search"
              aria-label="Filter entries"
              placeholder="Filter entries"
              value={query}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
            <fieldset class="segments">
              <legend class="visually-hidden">Kind</legend>
              {FILTERS.map((name) => (
                <label key={name}>
                  <input
                    type="radio"
                    name="memory-kind"
                    checked={filter === name}
                    onChange={() => setFilter(name)}
                  />
                  <span>
                    {name} <span class="count">{value.filter((each) => isShown(each, name, "")).length}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          </div>
          <div class={entry ? "memory-split open" : "memory-split"}>
            <EntryTimeline
              entries={shown}
              selected={selected}
              select={(each) => navigate("memory", { entry: nameOf(each) })}
            />
            {entry && <EntryPane key={selected} entry={entry} onChanged={reload} mayWrite={mayWrite} />}
          </div>
        </>
      )}
      {hasTool("memory_push_plan") && <SharePanel changes={value} mayWrite={mayWrite} onPulled={pulled} />}
    </div>
  );
}

const nameOf = ({ kind, key }: ShownEntry) => `${kind}/${key}`;

function isShown(
  { kind, key, title, text, suspect }: ShownEntry,
  filter: MemoryFilter,
  query: string,
): boolean {
  if (filter === "suspect" ? !suspect : filter !== "all" && filter !== kind) return false;
  return query === "" || [key, title, text].some((each) => each.toLowerCase().includes(query));
}
