import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { type BuildRequest, type BuiltCache, buildCache } from "./build/build.ts";
import { findCacheByName, findCacheByPath } from "./cache-path.ts";
import { byUtf8 } from "./document.ts";
import { cacheFailure } from "./failures.ts";
import { nameCacheInFailures } from "./failures-for-people.ts";
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

/** Where the caches of a command are; people may name another root than the server's. */
interface CacheLocation {
  readonly cache: string;
  readonly cache_root?: string | undefined;
}

export interface ContextCaches {
  resolve(asked: RawResolveInput, call: Call): Promise<Resolution>;
  inspect(name: unknown): Promise<Inspection>;
  list(): Promise<ListedCache[]>;
  /** For people: the cache is a directory or a name, and messages contain it. */
  resolveAt(asked: RawResolveInput & Pick<CacheLocation, "cache_root">, call: Call): Promise<Resolution>;
  listAt(cacheRoot: string | undefined): Promise<ListedCache[]>;
  inspectAt(where: CacheLocation): Promise<Inspection>;
  explain(
    asked: RawResolveInput & Pick<CacheLocation, "cache_root">,
    call: Call,
  ): Promise<ResolveExplanation>;
  verify(where: CacheLocation, call: Call): Promise<VerifiedCache>;
  build(request: BuildRequest, call: Call): Promise<BuiltCache>;
}

export function makeContextCaches(machine: Machine): ContextCaches {
  const held = keepLoadedCaches();
  const rootOf = (given: string | undefined) => (given === undefined ? machine.cacheRoot : resolve(given));
  const placeAt = ({ cache, cache_root }: CacheLocation) => findCacheByPath(rootOf(cache_root), cache);
  /** For people: messages contain the cache's name. */
  const selectAt = async (asked: RawResolveInput & Pick<CacheLocation, "cache_root">, call: Call) => {
    const { cache, ...question } = checkResolveInputForPeople(asked);
    const place = () => placeAt({ cache, cache_root: asked.cache_root });
    return nameCacheInFailures(cache, () => held.select(place, question, call.signal));
  };

  return {
    async resolve(asked, call) {
      const { cache, ...question } = checkResolveInput(asked);
      return resolutionOf(
        await held.select(() => findCacheByName(machine.cacheRoot, cache), question, call.signal),
      );
    },
    inspect: async (name) => inspectForAgents(await findCacheByName(machine.cacheRoot, checkCacheName(name))),
    list: () => listCaches(machine.cacheRoot),
    async listAt(cacheRoot) {
      const root = rootOf(cacheRoot);
      return listCaches(root).catch((cause: unknown) => {
        throw cacheFailure("io_error", {
          message: `Not a directory of caches that can be read: ${root}`,
          cause,
        });
      });
    },
    resolveAt: async (asked, call) => resolutionOf(await selectAt(asked, call)),
    inspectAt: (where) =>
      nameCacheInFailures(where.cache, async () => inspectForPeople(await placeAt(where))),
    explain: async (asked, call) => explanationOf(await selectAt(asked, call)),
    verify: (where, call) =>
      nameCacheInFailures(where.cache, async () => verifyCache(await placeAt(where), call)),
    build: (request, call) => buildCache(machine, request, call),
  };
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
