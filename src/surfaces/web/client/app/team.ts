import { computed, type Signal, signal } from "@preact/signals";
import { callTool, isTeam, sessionState, tokenHeader } from "./api.ts";
import { project, VIEWS, type ViewId } from "./router.ts";

interface ListedProject {
  readonly name: string;
  readonly commit?: string;
  readonly published_at?: string;
}

/** The projects that the access token may read; undefined until the server has told. */
export const projects = signal<readonly ListedProject[] | undefined>(undefined);

const TEAM_VIEWS: readonly ViewId[] = ["overview", "search", "packs", "memory", "documents"];
/** A team's server has no calls, no history and no reports to show. */
export const shownViews = () => (isTeam() ? VIEWS.filter(({ id }) => TEAM_VIEWS.includes(id)) : VIEWS);

/** What the server sends if there is no event for some seconds. */
const ALIVE = ": alive\n\n";
const WITHOUT_EVENTS_MS = 30_000;

/** Only code is searched in many projects at once. */
export const needsProject = computed(() => isTeam() && project.value === "" && projects.value?.length !== 1);

/** Reads the projects, and again after each event. Returns when the server or the token is gone. */
export async function followTeam(isConnected: Signal<boolean>): Promise<void> {
  try {
    const { ok, body } = await fetch("/events", { headers: tokenHeader() });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    isConnected.value = true;
    await readProjects();
    // The server refuses too many streams of one token: this tab then looks from time to time.
    if (!ok) await new Promise((resume) => setTimeout(resume, WITHOUT_EVENTS_MS));
    // EventSource cannot send a token. What an event says is not needed: the list has it. It may come in several parts.
    while (ok && reader && sessionState.value === "open") {
      const { done, value } = await reader.read();
      if (done) break;
      if (value !== ALIVE) await readProjects();
    }
    await reader?.cancel();
  } catch {
    // The caller connects again, and the page says meanwhile that the server is away.
  }
  isConnected.value = false;
}

async function readProjects(): Promise<void> {
  projects.value = (await callTool<{ projects: readonly ListedProject[] }>("list_projects")).projects;
}
