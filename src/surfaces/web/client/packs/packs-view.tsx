import { useState } from "preact/hooks";
import { callTool, messageOf } from "../app/api.ts";
import { counted, number } from "../app/format.ts";
import { replaceParams, route } from "../app/router.ts";
import { EmptyState, Loading, Problem } from "../parts/states.tsx";
import { PackPane, type ShownPack } from "./pack-pane.tsx";

const SMALLEST = 500;
const LARGEST = 32_000;

/** A task and a budget, and the pack that an agent would get. Two packs can be compared. */
export function PacksView() {
  const { params } = route.value;
  const [task, setTask] = useState(params.get("task") ?? "");
  const [budget, setBudget] = useState(Number(params.get("budget") ?? 8000));
  const [packs, setPacks] = useState<readonly ShownPack[]>([]);
  const [isComparing, setComparing] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBuilding, setBuilding] = useState(false);
  const build = async (event: Event) => {
    event.preventDefault();
    replaceParams("packs", { task, budget: String(budget) });
    setBuilding(true);
    setProblem(undefined);
    try {
      const pack = await callTool<ShownPack>("pack", { task, budget, receipt: "full" });
      setPacks((before) => (isComparing ? [...before.slice(-1), pack] : [pack]));
    } catch (thrown) {
      setProblem(messageOf(thrown));
    }
    setBuilding(false);
  };
  return (
    <div class="packs">
      <header class="view-head">
        <h1>Packs</h1>
        <p class="faint">
          Everything a task needs, from all rooms, within one budget: exactly as an agent gets it.
        </p>
      </header>
      <form class="pack-form" onSubmit={build}>
        <input
          type="search"
          aria-label="Task"
          placeholder="What are you about to do? For example: add retries to uploads"
          value={task}
          onInput={(event) => setTask(event.currentTarget.value)}
        />
        <label class="budget">
          <span>Budget {counted(budget, "token")}</span>
          <input
            type="range"
            min={SMALLEST}
            max={LARGEST}
            step={500}
            value={budget}
            onInput={(event) => setBudget(Number(event.currentTarget.value))}
          />
        </label>
        <label class="quiet-label">
          <input type="checkbox" checked={isComparing} onChange={() => setComparing(!isComparing)} /> Compare
          with the last one
        </label>
        <button type="submit" class="primary" disabled={task.trim() === "" || isBuilding}>
          {isBuilding ? "Building" : "Build pack"}
        </button>
      </form>
      {problem !== undefined && <Problem text={problem} />}
      {isBuilding && packs.length === 0 && <Loading lines={8} />}
      {packs.length === 0 && !isBuilding && problem === undefined && (
        <EmptyState title="No pack yet." command={'contextful pack "add retries to uploads"'}>
          <p>Write a task in a sentence or two and build its pack.</p>
        </EmptyState>
      )}
      {packs.length === 2 && <Difference packs={packs} />}
      <div class={packs.length === 2 ? "columns" : ""}>
        {packs.map((pack) => (
          <PackPane key={`${pack.pack_id} ${pack.budget}`} pack={pack} onBudget={setBudget} />
        ))}
      </div>
    </div>
  );
}

function Difference({ packs: [before, after] }: { readonly packs: readonly ShownPack[] }) {
  const idsOf = (pack: ShownPack | undefined) => new Set(pack?.items.map(({ id }) => id));
  const [old, fresh] = [idsOf(before), idsOf(after)];
  const added = [...fresh].filter((id) => !old.has(id)).length;
  const gone = [...old].filter((id) => !fresh.has(id)).length;
  return (
    <p class="notice">
      The second pack has {number(added)} items that the first one lacks, and lacks {number(gone)} of its
      items.
    </p>
  );
}
