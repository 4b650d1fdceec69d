import { signal } from "@preact/signals";
import type { CallSummary } from "../../../call-log.ts";
import { callPageTool, isTeam, openSession, sessionState } from "./api.ts";
import { followTeam } from "./team.ts";

export interface IndexStatus {
  readonly indexed?: boolean;
  readonly problem?: string;
  readonly statistics?: {
    readonly total_files: number;
    readonly total_symbols: number;
    readonly total_chunks: number;
    readonly total_text_files: number;
    readonly index_size_mb: number;
    readonly last_indexed_at: string;
    readonly indexing_duration_seconds: number;
  } | null;
  readonly health?: {
    readonly embedding_model?: string;
    readonly embedding_coverage?: readonly { readonly model: string; readonly embedded: number }[];
    readonly problems?: readonly string[];
  } | null;
  readonly indexing?: { readonly files_done: number; readonly files_total: number };
}
interface ToolProgress {
  readonly tool: string;
  readonly done: number;
  readonly total?: number;
  readonly label: string;
}

/** What the event stream tells, for every view. */
export const isConnected = signal(false);
export const indexStatus = signal<IndexStatus | undefined>(undefined);
export const calls = signal<readonly CallSummary[]>([]);
export const progress = signal<ToolProgress | undefined>(undefined);
/** Counts connections: views read their state again after the server was away. */
export const connections = signal(0);

const MAX_CALLS = 500;
const RETRY_MS = 1_000;

/** Follows the server. If it goes away, tries again until it is back. */
export function follow(): void {
  if (isTeam()) {
    void followTeam(isConnected).finally(() => setTimeout(connect, RETRY_MS));
    return;
  }
  const source = new EventSource("/events");
  const on = <T>(event: string, use: (data: T) => void) =>
    source.addEventListener(event, (message) => use(JSON.parse(message.data)));
  on("hello", () => {
    isConnected.value = true;
    connections.value += 1;
    void callPageTool<{ calls: readonly CallSummary[] }>("page_calls").then(
      (listed) => {
        calls.value = listed.calls;
      },
      () => undefined,
    );
  });
  on<IndexStatus>("status", (status) => {
    indexStatus.value = status;
  });
  on<CallSummary>("call", (call) => {
    const others = calls.value.filter(({ id }) => id !== call.id);
    calls.value = [...others, call].slice(-MAX_CALLS);
  });
  on<ToolProgress>("progress", (step) => {
    progress.value = step;
  });
  source.onerror = () => {
    isConnected.value = false;
    source.close();
    setTimeout(connect, RETRY_MS);
  };
}

/** A new server has a new cookie, so the session comes first. If a token is needed, the form asks for it. */
export function connect(): void {
  openSession().then(follow, () => sessionState.value === "token-needed" || setTimeout(connect, RETRY_MS));
}
