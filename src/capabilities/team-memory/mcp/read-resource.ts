import { DomainError } from "../../../core/errors.ts";
import { summarise } from "../report/summary.ts";
import { activityOf } from "../state/dotpath.ts";
import type { MemoryOperations } from "../team-memory.ts";

const STALE_MS = 48 * 60 * 60 * 1000;
type ResourceReader = (memory: MemoryOperations, name: string) => Promise<unknown>;

/** By the part of the URI after the scheme, `*` for a name. */
const READS: Readonly<Record<string, ResourceReader>> = {
  manifest: (memory) => memory.getValue("manifest"),
  summary: (memory) => summarise(memory.project()),
  knowledge: (memory) => memory.listText("knowledge"),
  "knowledge/*": (memory, key) => memory.getText("knowledge", key),
  conventions: (memory) => memory.listText("convention"),
  "conventions/*": (memory, key) => memory.getText("convention", key),
  decisions: (memory) => memory.listDecisions(),
  "decisions/*": (memory, wanted) => memory.getDecision(wanted),
  state: async (memory) => memory.state(),
  history: async (memory) => memory.sessions(),
  skills: (memory) => memory.listSkills(),
  "skills/stats": (memory) => memory.skillStats(),
  "skills/*": (memory, name) => memory.getSkill(name),
  "skills/*/feedback": async (memory, name) => memory.skillFeedback((await memory.getSkill(name)).name),
  "skills/*/proposals": (memory, name) => memory.proposals(name),
  activity: async (memory) => withAge(memory),
};

/** Missing entries answer `{"error": …}`; only unknown URI forms are "not found". */
export async function readResource(memory: MemoryOperations, path: string): Promise<string | undefined> {
  const [section = "", encoded, part] = path.split("/");
  const isWhole = Object.hasOwn(READS, path) && !path.includes("*");
  const form = isWhole
    ? path
    : [section, ...(encoded === undefined ? [] : ["*"]), ...(part === undefined ? [] : [part])].join("/");
  const read = Object.hasOwn(READS, form) && path.split("/").length <= 3 ? READS[form] : undefined;
  const name = decode(encoded ?? "");
  if (read === undefined || name === undefined) return undefined;
  const value = await read(memory, name).catch((thrown: unknown) => {
    if (thrown instanceof DomainError) return { error: thrown.message };
    throw thrown;
  });
  return JSON.stringify(value ?? { error: "There is no context store yet" }, null, 2);
}

function decode(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function withAge(memory: MemoryOperations): unknown {
  const project = memory.project();
  const now = Date.parse(project.now());
  return Object.entries(activityOf(project)).map(([member, value]) => {
    const record = typeof value === "object" && value !== null ? value : {};
    const updated = "updated_at" in record ? Date.parse(String(record.updated_at)) : Number.NaN;
    return { member, ...record, stale: !(now - updated < STALE_MS) };
  });
}
