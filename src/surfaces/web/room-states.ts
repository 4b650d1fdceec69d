import { z } from "zod";
import { asDomainError } from "../../core/errors.ts";
import { ROOM_SUMMARY, ROOMS, type RoomName } from "../rooms.ts";
import type { toolCaller } from "./tool-caller.ts";

const RoomState = z.object({
  room: z.enum(ROOMS),
  summary: z.string(),
  state: z.enum(["ready", "empty", "stale", "problem"]),
  detail: z.string(),
  command: z.string().optional().describe("Fills or updates the room"),
});
export const RoomStates = z.object({ rooms: z.array(RoomState) });
type RoomFinding = Pick<z.output<typeof RoomState>, "state" | "detail" | "command">;
type ToolCaller = ReturnType<typeof toolCaller>;

/** Each room's state by its own tools. A room that fails does not hide the others. */
export async function roomStates(caller: ToolCaller, root: string): Promise<z.input<typeof RoomStates>> {
  const rooms = await Promise.all(
    ROOMS.map(async (room) => {
      const found = await FINDERS[room](caller, root).catch(
        (thrown: unknown): RoomFinding => ({ state: "problem", detail: asDomainError(thrown).message }),
      );
      return { room, summary: ROOM_SUMMARY[room], ...found };
    }),
  );
  return { rooms };
}

const Contexts = z.object({
  entries: z.array(z.object({ state: z.string(), content_changed: z.boolean().optional() })),
});
const Caches = z.object({ caches: z.array(z.unknown()) });
const Memory = z.looseObject({
  initialised: z.boolean(),
  knowledge_count: z.int(),
  convention_count: z.int(),
  decision_count: z.int(),
  skill_count: z.int(),
  problems: z.array(z.string()),
});
const StoredDocuments = z.object({ documents: z.int(), chunks: z.int(), problems: z.array(z.string()) });
const Report = z.object({ made_at: z.string().nullable() });
const CodeStatus = z.object({
  statistics: z.object({ total_files: z.int(), total_symbols: z.int() }).nullable(),
});

const FINDERS: Readonly<Record<RoomName, (caller: ToolCaller, root: string) => Promise<RoomFinding>>> = {
  async "code-index"({ ask }, root) {
    const { statistics } = CodeStatus.parse(await ask("get_status", { path: root }));
    if (!statistics) return { state: "empty", detail: "not indexed", command: "contextful code index" };
    return ready(`${statistics.total_files} files, ${statistics.total_symbols} symbols`);
  },
  async "directory-contexts"({ ask }) {
    const { entries } = Contexts.parse(await ask("list_contexts"));
    const described = entries.filter(({ state }) => state !== "missing").length;
    const stale = entries.filter(
      ({ state, content_changed }) => state === "stale" && content_changed !== false,
    ).length;
    const detail = `${described} of ${entries.length} directories described`;
    if (described === 0) return { state: "empty", detail, command: "contextful directories init" };
    if (stale === 0) return ready(detail);
    return {
      state: "stale",
      detail: `${detail}, ${stale} out of date`,
      command: "contextful directories regen --stale",
    };
  },
  async "context-caches"({ ask }) {
    // A missing folder of caches is an error of the contract; here it is an empty room.
    const listed = await ask("context.list_caches").catch(() => ({ caches: [] }));
    const { caches } = Caches.parse(listed);
    if (caches.length > 0) return ready(counted(caches.length, "cache"));
    return {
      state: "empty",
      detail: "no cache",
      command: "contextful caches build --sources docs --cache .context-caches/docs",
    };
  },
  async "team-memory"({ ask }) {
    const memory = Memory.parse(await ask("memory_status"));
    const detail = [
      `${memory.knowledge_count} knowledge`,
      counted(memory.convention_count, "convention"),
      counted(memory.decision_count, "decision"),
      counted(memory.skill_count, "skill"),
    ].join(", ");
    if (memory.problems.length > 0) return { state: "problem", detail: memory.problems.join("; ") };
    if (memory.initialised) return ready(detail);
    return { state: "empty", detail: "no entries yet", command: "contextful memory init" };
  },
  async documents({ ask }) {
    const { documents, chunks, problems } = StoredDocuments.parse(await ask("documents_stats"));
    const [problem] = problems;
    if (documents > 0) return ready(`${counted(documents, "document")}, ${counted(chunks, "chunk")}`);
    return { state: "empty", detail: problem ?? "nothing synced yet", command: "contextful documents sync" };
  },
  packs: async () => ready("ready: it collects from the rooms above"),
  async evaluation({ ask }) {
    const { made_at } = Report.parse(await ask("evaluation_report"));
    if (made_at !== null) return ready(`measured ${made_at.slice(0, 10)}`);
    return { state: "empty", detail: "not measured yet", command: "contextful eval" };
  },
  clients: async () => ({ state: "ready", detail: "connects coding agents", command: "contextful setup" }),
  team: async () => ({ state: "ready", detail: "one index for a team", command: "contextful team --help" }),
};

const ready = (detail: string): RoomFinding => ({ state: "ready", detail });
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
