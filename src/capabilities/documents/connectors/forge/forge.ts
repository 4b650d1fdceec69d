import { DomainError } from "../../../../core/errors.ts";
import type { Logger } from "../../../../core/logger.ts";
import { instantOf } from "../../timestamps.ts";
import type {
  Connector,
  ConnectorType,
  Item,
  ItemReading,
  ListRequest,
  SourceListing,
} from "../connector.ts";
import { reasonOf } from "../fetch-page.ts";
import { type ForgeClient, openForgeClient } from "./forge-client.ts";
import type { ForgeApi, ForgeThread } from "./thread.ts";

export interface ForgeOptions {
  readonly label: string;
  readonly type: ConnectorType;
  readonly repository: string;
  readonly url: string | undefined;
  readonly tokenEnv: string | undefined;
  /** What is read, such as `issues`. */
  readonly include: readonly string[];
  readonly maxItems: number;
  readonly tags: readonly string[];
  readonly allowPrivate: boolean;
  readonly settings: string;
  /** Lists the wiki, where it is not part of the API. */
  readonly listWiki?: (token: string | undefined, signal: AbortSignal) => Promise<readonly Item[]>;
  /** The only place for the token. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Pick<Logger, "info">;
  now(): Date;
}

const MOST_COMMENTS = 300;
const MOST_CHARACTERS = 400_000;
/** The clock of the server may be behind ours. */
const OVERLAP_S = 600;

/** Issues, pull or merge requests with their comments, and wiki pages, through the API of a forge. */
export function forgeConnector(forge: ForgeApi, options: ForgeOptions): Connector {
  const { tokenEnv, env } = options;
  const token = tokenEnv === undefined ? undefined : env[tokenEnv];
  const base = forge.base((options.url ?? forge.defaultUrl).replace(/\/+$/, ""), options.repository);
  const client = openForgeClient({ ...options, base, headers: forge.headers(token) });
  const failed = (thrown: unknown) => `${options.repository}: ${reasonOf(thrown)}`;
  const requireToken = () => {
    if (tokenEnv === undefined || token) return;
    throw new DomainError("invalid_input", `${options.label}: set the token in ${tokenEnv}`, {
      reason: "not_configured",
    });
  };
  return {
    label: options.label,
    type: options.type,
    // One request at a time, as forges ask of programs.
    parallel: 1,
    async check(signal) {
      try {
        requireToken();
        const { path, query } = forge.list(options.include[0] ?? "issues", undefined);
        await client.list(path, query, { signal, most: 1 });
        return { healthy: true, notes: `repository: ${options.repository}` };
      } catch (thrown) {
        return { healthy: false, notes: failed(thrown) };
      }
    },
    async list(signal, request) {
      requireToken();
      try {
        const threads = await listThreads({ forge, client, options }, request, signal);
        return await withWiki(threads, { options, token }, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        throw new DomainError("unavailable", `${options.label}: ${failed(thrown)}`, { cause: thrown });
      }
    },
  };
}

/** A wiki that cannot be listed is a problem of its own: the threads are read. */
async function withWiki(
  threads: SourceListing,
  { options, token }: { readonly options: ForgeOptions; readonly token: string | undefined },
  signal: AbortSignal,
): Promise<SourceListing> {
  const { include, listWiki } = options;
  if (listWiki === undefined || !include.includes("wiki")) return threads;
  try {
    return { ...threads, items: [...threads.items, ...(await listWiki(token, signal))] };
  } catch (thrown) {
    signal.throwIfAborted();
    return {
      ...threads,
      problems: [...threads.problems, `wiki of ${options.repository}: ${reasonOf(thrown)}`],
    };
  }
}

interface OpenForge {
  readonly forge: ForgeApi;
  readonly client: ForgeClient;
  readonly options: ForgeOptions;
}

/**
 * After a complete run with the same settings, only what was updated since is listed. The first run of a day lists all, which
 * shows what was deleted; what is unchanged is not read again.
 */
async function listThreads(
  open: OpenForge,
  { known, readAt }: ListRequest,
  signal: AbortSignal,
): Promise<SourceListing> {
  const { forge, client, options } = open;
  const isAsStored = [...known.values()].every(({ stamp }) => stamp.endsWith(`:${options.settings}`));
  const isIncremental =
    readAt !== undefined && isAsStored && dayOf(readAt) === dayOf(options.now().getTime() / 1_000);
  const since = isIncremental ? new Date((readAt - OVERLAP_S) * 1_000).toISOString() : undefined;
  const items = new Map<string, Item>();
  const leftOut: string[] = [];
  const lists = new Map<string, readonly unknown[]>();
  const kinds = options.include.filter((kind) => kind !== "wiki" || options.listWiki === undefined);
  for (const kind of kinds) {
    const { path, query } = forge.list(kind, since);
    const entries = lists.get(path) ?? (await client.list(path, query, { signal, most: options.maxItems }));
    lists.set(path, entries);
    if (entries.length === options.maxItems)
      leftOut.push(`of ${path.slice(1)} only the newest ${options.maxItems}`);
    for (const entry of entries) {
      const thread = forge.thread(kind, entry);
      if (thread) items.set(thread.sourceId, itemOf(thread, open));
    }
  }
  return {
    items: [...items.values()],
    problems: [],
    leftOut: [...new Set(leftOut)],
    isPartial: since !== undefined,
  };
}

const dayOf = (seconds: number) => Math.floor(seconds / 86_400);

function itemOf(thread: ForgeThread, open: OpenForge): Item {
  const stamp = `${thread.version}:${open.options.settings}`;
  const updatedAt = instantOf(thread.updatedAt);
  return {
    sourceId: thread.sourceId,
    stamp,
    ...(updatedAt !== undefined && { updatedAt }),
    async read(_known, signal): Promise<ItemReading> {
      try {
        const text = `${headOf(thread)}${await commentsOf(thread, open, signal)}`.slice(0, MOST_CHARACTERS);
        return contentOf(thread, { text, stamp, tags: open.options.tags });
      } catch (thrown) {
        signal.throwIfAborted();
        return { kind: "failed", reason: reasonOf(thrown) };
      }
    },
  };
}

/** Pages of a wiki often begin with their title. */
function headOf({ title, body, state }: ForgeThread): string {
  const text = body.trim();
  const heading = `# ${title}`;
  const head = text.split(/\r?\n/, 1)[0] === heading ? "" : `${heading}\n\n`;
  return `${head}${text}\n${state === undefined ? "" : `\nState: ${state}\n`}`;
}

async function commentsOf(
  thread: ForgeThread,
  { forge, client }: OpenForge,
  signal: AbortSignal,
): Promise<string> {
  const parts: string[] = [];
  for (const path of thread.comments) {
    const entries = await client.list(path, {}, { signal, most: MOST_COMMENTS });
    const comments = entries.map((entry) => forge.comment(entry)).filter((comment) => comment !== undefined);
    comments.sort((a, b) => (instantOf(a.at) ?? 0) - (instantOf(b.at) ?? 0));
    parts.push(
      ...comments.map(({ author, at, text }) => `\n## ${author}, ${at.slice(0, 10)}\n\n${text.trim()}\n`),
    );
  }
  return parts.join("");
}

const contentOf = (
  thread: ForgeThread,
  { text, stamp, tags }: { readonly text: string; readonly stamp: string; readonly tags: readonly string[] },
): ItemReading => ({
  kind: "content",
  bytes: Buffer.from(text),
  // Not Markdown: what people write must not be read as front matter.
  format: "text",
  contentType: "text/markdown",
  stamp,
  sourceUrl: thread.url,
  title: thread.title,
  author: thread.author,
  createdAt: instantOf(thread.createdAt),
  updatedAt: instantOf(thread.updatedAt),
  metadata: thread.state === undefined ? {} : { state: thread.state },
  tags: [...tags, ...thread.labels],
});
