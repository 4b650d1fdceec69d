import { signal } from "@preact/signals";

export interface PageSessionInfo {
  readonly token: string;
  readonly version: string;
  readonly root: string;
  readonly read_only: boolean;
  readonly tools: readonly string[];
}
type SessionState = "starting" | "open" | "token-needed";

export const session = signal<PageSessionInfo | undefined>(undefined);
export const sessionState = signal<SessionState>("starting");

/** A failed call, with the sentence that the server gave. */
export class PageError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Gets the page's cookie and token. Beyond this machine the server wants its bearer token once. */
export async function openSession(bearer?: string): Promise<void> {
  const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  const response = await fetch("/page/session", { headers });
  if (response.status === 401) {
    sessionState.value = "token-needed";
    throw new PageError(401, "This token is not the server's token.");
  }
  session.value = await answerOf<PageSessionInfo>(response);
  sessionState.value = "open";
}

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
    headers: { "Content-Type": "application/json", "Contextful-Page": session.value?.token ?? "" },
    body: JSON.stringify(input),
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
