import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { checkText } from "../entries/check-text.ts";
import type { MemoryProject, MemoryWriter } from "../entries/project.ts";
import { appendLine, lineId, linesOf, putLines, readLines } from "../store/json-files.ts";
import { MAX_SESSIONS, SESSIONS } from "../store/layout.ts";
import { commaList } from "./state.ts";

const Strings = z.array(z.string()).catch([]);
const MemorySession = z.looseObject({
  id: z.string(),
  agent: z.string().catch(""),
  user: z.string().catch(""),
  machine: z.string().catch(""),
  started: z.string().nullable().catch(null),
  ended: z.string().nullable().catch(null),
  summary: z.string().catch(""),
  knowledge_added: Strings,
  decisions_added: Strings,
  skills_used: Strings,
});
type MemorySession = z.infer<typeof MemorySession>;

const DEFAULT_LISTED = 50;

export interface NewSession {
  readonly agent?: string;
  readonly summary?: string;
  readonly knowledge_added?: string;
  readonly decisions_added?: string;
}

export async function appendSession(
  project: MemoryProject,
  wanted: NewSession,
  writer: MemoryWriter,
): Promise<MemorySession> {
  const { agent = "", summary = "", knowledge_added = "", decisions_added = "" } = wanted;
  checkText(
    [
      { name: "summary", text: summary },
      { name: "agent", text: agent },
      { name: "knowledge added", text: knowledge_added },
      { name: "decisions added", text: decisions_added },
    ],
    writer,
  );
  return project.store.write({ purpose: "recording a session", signal: writer.signal }, (edit) => {
    const now = project.now();
    const session: MemorySession = {
      id: randomUUID(),
      agent: agent || writer.actor,
      user: userName(),
      // Part of the format, but the history is shared and the name of a machine concerns nobody else.
      machine: "",
      started: now,
      ended: now,
      summary,
      knowledge_added: commaList(knowledge_added),
      decisions_added: commaList(decisions_added),
      skills_used: [],
    };
    appendLine(project.store, edit, SESSIONS, { line: session, most: MAX_SESSIONS });
    return session;
  });
}

/** The last sessions, oldest first. */
export const sessionsOf = ({ store }: MemoryProject, most = DEFAULT_LISTED): MemorySession[] =>
  readLines(store, SESSIONS, MemorySession).slice(-most);

/** By id, or by a prefix that only one id has. */
export function findSession(project: MemoryProject, id: string): MemorySession {
  const [found, ...more] = sessionsOf(project, MAX_SESSIONS).filter(
    (session) => id !== "" && session.id.startsWith(id),
  );
  if (found === undefined) throw new DomainError("not_found", `Session '${id}' not found`);
  if (more.length > 0)
    throw new DomainError("invalid_input", `'${id}' matches several sessions. Give more of the id.`);
  return found;
}

export async function removeSession(project: MemoryProject, id: string): Promise<string> {
  return project.store.write({ purpose: "removing a session" }, (edit) => {
    const { id: found } = findSession(project, id);
    const lines = linesOf(project.store.readBytes(SESSIONS)).filter((line) => lineId(line) !== found);
    putLines(project.store, edit, SESSIONS, lines);
    return found;
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers have no entry for this user id.
    return "unknown";
  }
}
