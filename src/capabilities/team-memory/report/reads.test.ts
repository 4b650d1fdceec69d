import { expect, test } from "vitest";
import { memoryRoom } from "../../../../tests/support/memory-room.ts";
import { type MemoryProject, openProjects } from "../entries/project.ts";
import type { MemoryStore } from "../store/store.ts";
import { saveReads } from "./reads.ts";

test("reads that another process keeps just before are not lost", async () => {
  using room = memoryRoom();
  await room.call("context_add_knowledge", { key: "k", content: "x" });
  const project = openProjects(room.machine)();
  project.noteRead("knowledge/k.md");
  const write: MemoryStore["write"] = (options, change) => {
    room.write(".local/reads.json", '{"knowledge/k.md": 5}');
    return project.store.write({ ...options, waitMs: 30_000 }, change);
  };
  const late: MemoryProject = { ...project, store: { ...project.store, write } };
  await saveReads(late);
  expect(JSON.parse(room.read(".local/reads.json") ?? "")).toEqual({ "knowledge/k.md": 6 });
});
