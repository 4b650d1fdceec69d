import { basename, resolve } from "node:path";
import { DomainError, errnoOf } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { type BuildRequest, type Built, buildCache } from "./build.ts";
import { explanationOf } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import { cacheFailure, isFailure } from "./failures.ts";
import { holdCaches } from "./held-caches.ts";
import { inspectForAgents, inspectForPeople } from "./inspect.ts";
import type { Inspection } from "./inspection.ts";
import { type ListedCache, listCaches } from "./list.ts";
import { placeOfName, placeOfPath } from "./place.ts";
import { type Asked, checked, checkedForPeople, checkedName } from "./question.ts";
import type { Resolution } from "./resolution.ts";
import { resolutionOf } from "./resolve.ts";
import { type Verified, verifyCache } from "./verify.ts";

/** `cache_root` is only ever given by people, who may name another root than the server's. */
interface Where {
  readonly cache?: unknown;
  readonly cache_root?: string | undefined;
}
type WhereAsked = Asked & Pick<Where, "cache_root">;

/** People may name any directory and get messages that name the cache; agents name a cache and get the contract's messages. */
export interface ContextCaches {
  resolve(asked: WhereAsked, call: Call): Promise<Resolution>;
  inspect(where: Where, call: Call): Promise<Inspection>;
  list(at?: {
    readonly cacheRoot?: string | undefined;
    readonly caller: Call["caller"];
  }): Promise<ListedCache[]>;
  explain(asked: WhereAsked, call: Call): Promise<Explanation>;
  verify(where: Where, call: Call): Promise<Verified>;
  build(request: BuildRequest, call: Call): Promise<Built>;
}

export function makeContextCaches(machine: Machine): ContextCaches {
  const held = holdCaches();
  const rootOf = (given: string | undefined) => (given === undefined ? machine.cacheRoot : resolve(given));
  const placeAt = (cache: string, root: string | undefined) => placeOfPath(rootOf(root), cache);
  const selectForPeople = async (asked: WhereAsked, { signal }: Call) => {
    const { cache, ...question } = checkedForPeople(asked);
    return namingCache(cache, () => held.select(() => placeAt(cache, asked.cache_root), question, signal));
  };
  const selectForAgents = async (asked: Asked, { signal }: Call) => {
    const { cache, ...question } = checked(asked);
    return held.select(() => placeOfName(machine.cacheRoot, cache), question, signal);
  };

  return {
    async resolve(asked, call) {
      const select = call.caller === "person" ? selectForPeople : selectForAgents;
      return resolutionOf(await select(asked, call));
    },
    async inspect(where, call) {
      const cache = checkedName(where.cache);
      if (call.caller === "agent") return inspectForAgents(await placeOfName(machine.cacheRoot, cache));
      return namingCache(cache, async () => inspectForPeople(await placeAt(cache, where.cache_root)));
    },
    async list({ cacheRoot, caller } = { caller: "agent" }) {
      if (caller === "agent") return listCaches(machine.cacheRoot);
      const root = rootOf(cacheRoot);
      return listCaches(root).catch((cause: unknown) => {
        throw cacheFailure("io_error", {
          message: `Not a directory of caches that can be read: ${root}`,
          cause,
        });
      });
    },
    explain: async (asked, call) => explanationOf(await selectForPeople(asked, call)),
    async verify(where, call) {
      const cache = checkedName(where.cache);
      return namingCache(cache, async () => verifyCache(await placeAt(cache, where.cache_root), call));
    },
    build: (request, call) => buildCache(machine, request, call),
  };
}

/** Adds the name of the cache and the next step to the contract's bare messages. */
async function namingCache<T>(cache: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    if (isFailure(thrown, "cache_missing"))
      throw cacheFailure("cache_missing", {
        message: `Cache does not exist: ${cache}.`,
        next: { tool: "context.list_caches" },
      });
    if (isFailure(thrown, "cache_invalid") && !thrown.message.includes("\n"))
      throw cacheFailure("cache_invalid", {
        message: `Cache exists but is invalid: ${cache}.`,
        next: { tool: "caches_verify", input: { cache } },
      });
    const errno = errnoOf(thrown.cause);
    if (isFailure(thrown, "io_error") && errno !== undefined)
      throw cacheFailure("io_error", {
        message: `I/O error occurred: ${cache}: cannot read ${fileOf(thrown.cause)} (${errno}).`,
        cause: thrown.cause,
      });
    throw thrown;
  }
}

/** The name of the file a system error is about. */
function fileOf(cause: unknown): string {
  const path = cause instanceof Error && "path" in cause ? cause.path : undefined;
  return typeof path === "string" ? basename(path) : "a file";
}
