import { lstat, readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { DomainError, errnoOf } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { type BuildRequest, type BuiltCache, buildCache } from "./build/build.ts";
import { findCacheByName, findCacheByPath } from "./cache-path.ts";
import { byUtf8 } from "./document.ts";
import { cacheFailure, isFailure } from "./failures.ts";
import type { Inspection, ListedCache } from "./fields.ts";
import { explanationOf, type ResolveExplanation } from "./resolve/explanation.ts";
import { keepLoadedCaches } from "./resolve/loaded-caches.ts";
import { type Resolution, resolutionOf } from "./resolve/resolution.ts";
import {
  checkCacheName,
  checkResolveInput,
  checkResolveInputForPeople,
  type RawResolveInput,
} from "./resolve/resolve-input.ts";
import { inspectForAgents, inspectForPeople } from "./verify/inspect.ts";
import { type VerifiedCache, verifyCache } from "./verify/verify.ts";

/** `cache_root` is only ever given by people, who may name another root than the server's. */
interface CacheLocation {
  readonly cache?: unknown;
  readonly cache_root?: string | undefined;
}
type LocatedInput = RawResolveInput & Pick<CacheLocation, "cache_root">;

/** People may name any directory and get messages that name the cache; agents name a cache and get the contract's messages. */
export interface ContextCaches {
  resolve(asked: LocatedInput, call: Call): Promise<Resolution>;
  inspect(where: CacheLocation, call: Call): Promise<Inspection>;
  list(at?: {
    readonly cacheRoot?: string | undefined;
    readonly caller: Call["caller"];
  }): Promise<ListedCache[]>;
  explain(asked: LocatedInput, call: Call): Promise<ResolveExplanation>;
  verify(where: CacheLocation, call: Call): Promise<VerifiedCache>;
  build(request: BuildRequest, call: Call): Promise<BuiltCache>;
}

export function makeContextCaches(machine: Machine): ContextCaches {
  const held = keepLoadedCaches();
  const rootOf = (given: string | undefined) => (given === undefined ? machine.cacheRoot : resolve(given));
  const placeAt = (cache: string, root: string | undefined) => findCacheByPath(rootOf(root), cache);
  const selectForPeople = async (asked: LocatedInput, { signal }: Call) => {
    const { cache, ...question } = checkResolveInputForPeople(asked);
    return namingCache(cache, () => held.select(() => placeAt(cache, asked.cache_root), question, signal));
  };
  const selectForAgents = async (asked: RawResolveInput, { signal }: Call) => {
    const { cache, ...question } = checkResolveInput(asked);
    return held.select(() => findCacheByName(machine.cacheRoot, cache), question, signal);
  };

  return {
    async resolve(asked, call) {
      const select = call.caller === "person" ? selectForPeople : selectForAgents;
      return resolutionOf(await select(asked, call));
    },
    async inspect(where, call) {
      const cache = checkCacheName(where.cache);
      if (call.caller === "agent") return inspectForAgents(await findCacheByName(machine.cacheRoot, cache));
      return namingCache(cache, async () => inspectForPeople(await placeAt(cache, where.cache_root)));
    },
    async list({ cacheRoot, caller } = { caller: "agent" }) {
      if (caller === "agent") return listCaches(machine.cacheRoot);
      const root = rootOf(cacheRoot);
      return listCaches(root).catch((cause: unknown) => {
        throw cacheFailure("io_error", {
          message: `Not a directory of caches that can be read: ${root}`,
          next: { tool: "caches_build", input: { sources: "docs", cache: ".context-caches/docs" } },
          cause,
        });
      });
    },
    explain: async (asked, call) => explanationOf(await selectForPeople(asked, call)),
    async verify(where, call) {
      const cache = checkCacheName(where.cache);
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

/** The directories directly below the cache root, by name. Only checks that a manifest exists. */
async function listCaches(cacheRoot: string): Promise<ListedCache[]> {
  const entries = await readdir(cacheRoot, { withFileTypes: true }).catch((thrown: unknown) => {
    throw cacheFailure("io_error", { cause: thrown });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort(byUtf8).map(async (path) => {
      const manifest = await lstat(join(cacheRoot, path, "manifest.json")).catch(() => undefined);
      return { path, has_manifest: manifest?.isFile() ?? false };
    }),
  );
}
