import { DomainError } from "../../../core/errors.ts";
import type { Finding } from "../../../core/room-offer.ts";
import type { MemoryOperations } from "../team-memory.ts";

/** The lines of `contextful doctor` about the store. */
export async function examine(memory: MemoryOperations): Promise<readonly Finding[]> {
  const name = "team memory";
  try {
    const { initialised, problems, ...summary } = await memory.summary();
    if (!initialised) return [{ name, state: "note", detail: "no store yet; the first write creates one" }];
    const detail = `${summary.knowledge_count} knowledge, ${summary.convention_count} conventions, ${summary.decision_count} decisions, ${summary.skill_count} skills`;
    return [
      { name, state: "ok", detail },
      ...problems.map((problem): Finding => ({ name, state: "problem", detail: problem })),
    ];
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    return [{ name, state: "note", detail: thrown.message }];
  }
}
