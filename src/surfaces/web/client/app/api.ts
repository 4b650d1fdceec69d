import { signal } from "@preact/signals";
import { project } from "./router.ts";

interface PageSessionInfo {
  readonly token: string;
  readonly version: string;
  readonly root: string;
  readonly read_only: boolean;
  readonly tools: readonly string[];
  /** Many projects, each caller by an access token. */
  readonly is_team?: boolean;
}
type SessionState = "starting" | "open" | "token-needed";

/** Of a team's server: kept for this tab only. */
const TOKEN_KEY = "contextful-token";

export const session = signal<PageSessionInfo | undefined>(undefined);
export const sessionState = signal<SessionState>("starting");
export const asksForTeamToken = signal(false);
export const isTeam = (): boolean => session.value?.is_team === true;

/** A failed call, with the sentence that the server gave. */
class PageError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Gets the page's cookie and token. Beyond this machine the server wants its bearer token once. */
export async function openSession(bearer?: string): Promise<void> {
  const token = bearer ?? sessionStorage.getItem(TOKEN_KEY);
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch("/page/session", { headers });
  if (response.status === 401) {
    asksForTeamToken.value = response.headers.get("www-authenticate")?.includes("team") ?? false;
    signOut();
    throw new PageError(401, "The server does not know this token.");
  }
  session.value = await answerOf<PageSessionInfo>(response);
  if (isTeam() && token !== null) sessionStorage.setItem(TOKEN_KEY, token);
  sessionState.value = "open";
}

export function signOut(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  session.value = undefined;
  sessionState.value = "token-needed";
}

/** What a team's server wants with each request. */
export const tokenHeader = (): Readonly<Record<string, string>> => {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token === null ? {} : { Authorization: `Bearer ${token}` };
};

export const hasTool = (name: string): boolean => session.value?.tools.includes(name) ?? false;

/** Calls a tool of the public HTTP API. */
export const callTool = <T>(name: string, input: object = {}, signal?: AbortSignal): Promise<T> =>
  post<T>(`/tools/${name}`, input, signal);

/** Calls a tool that only the page may call. */
export const callPageTool = <T>(name: string, input: object = {}, signal?: AbortSignal): Promise<T> =>
  post<T>(`/page/tools/${name}`, input, signal);

async function post<T>(path: string, input: object, signal?: AbortSignal, isRepeated = false): Promise<T> {
  const response = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Contextful-Page": session.value?.token ?? "",
      ...tokenHeader(),
    },
    body: JSON.stringify(isTeam() && project.value !== "" ? { project: project.value, ...input } : input),
    ...(signal && { signal }),
  });
  // A server that was started again knows another token.
  if ((response.status === 403 || response.status === 401) && !isRepeated) {
    await openSession();
    return post(path, input, signal, true);
  }
  return answerOf<T>(response);
}

async function answerOf<T>(response: Response): Promise<T> {
  const body = await response.json().catch(() => undefined);
  // The server has checked its output against the tool's schema.
  if (response.ok) return body as T;
  throw new PageError(response.status, body?.error?.message ?? `The server answered ${response.status}.`);
}

export const messageOf = (thrown: unknown): string =>
  thrown instanceof PageError ? thrown.message : "The server cannot be reached.";
