import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DomainError, errnoOf } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { writeCache } from "./build.ts";
import { whileLocked } from "./build-lock.ts";
import { explanationOf } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import { cacheFailure, isFailure } from "./failures.ts";
import { holdCaches } from "./held-caches.ts";
import { includes } from "./include.ts";
import { inspectForAgents, inspectForPeople } from "./inspect.ts";
import type { Inspection } from "./inspection.ts";
import { type ListedCache, listCaches } from "./list.ts";
import { isOfCache, placeOfName, placeOfPath } from "./place.ts";
import { checkTarget, passingPlace, putInPlace, tidyAfterKill } from "./replace.ts";
import type { Resolution } from "./resolution.ts";
import { resolutionOf } from "./resolve.ts";
import { findSources } from "./sources.ts";
import { type Verified, verifyCache } from "./verify.ts";

/** Unchecked on purpose: the contract fixes in which order wrong values are told, and by which code. */
export interface Asked {
  readonly cache?: unknown;
  readonly query?: unknown;
  readonly budget?: unknown;
}
/** Where the caches of a command are; people may name another root than the server's. */
export interface Where {
  readonly cache: string;
  readonly cache_root?: string | undefined;
}
export interface BuildRequest {
  readonly sources: string;
  readonly cache: string;
  readonly force: boolean;
  readonly include?: string | undefined;
}
export interface Built {
  readonly cache: string;
  readonly documents: number;
}

export interface ContextCaches {
  resolve(asked: Asked, call: Call): Promise<Resolution>;
  inspect(name: unknown): Promise<Inspection>;
  list(): Promise<ListedCache[]>;
  /** The same for people: a directory or a name, and messages that name it. */
  resolveAt(asked: Asked & Pick<Where, "cache_root">, call: Call): Promise<Resolution>;
  listAt(cacheRoot: string | undefined): Promise<ListedCache[]>;
  inspectAt(where: Where): Promise<Inspection>;
  explain(asked: Asked & Pick<Where, "cache_root">, call: Call): Promise<Explanation>;
  verify(where: Where, call: Call): Promise<Verified>;
  build(request: BuildRequest, call: Call): Promise<Built>;
}

export function makeContextCaches(machine: Machine): ContextCaches {
  const held = holdCaches();
  const rootOf = (given: string | undefined) => (given === undefined ? machine.cacheRoot : resolve(given));
  const placeAt = ({ cache, cache_root }: Where) => placeOfPath(rootOf(cache_root), cache);
  /** For people, whose messages name the cache. */
  const selectAt = async (asked: Asked & Pick<Where, "cache_root">, call: Call) => {
    const { cache, ...question } = checkedForPeople(asked);
    const place = () => placeAt({ cache, cache_root: asked.cache_root });
    return naming(cache, () => held.select(place, question, call.signal));
  };

  return {
    async resolve(asked, call) {
      const { cache, ...question } = checked(asked);
      return resolutionOf(
        await held.select(() => placeOfName(machine.cacheRoot, cache), question, call.signal),
      );
    },
    inspect: async (name) => inspectForAgents(await placeOfName(machine.cacheRoot, checkedName(name))),
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
    inspectAt: (where) => naming(where.cache, async () => inspectForPeople(await placeAt(where))),
    explain: async (asked, call) => explanationOf(await selectAt(asked, call)),
    verify: (where, call) => naming(where.cache, async () => verifyCache(await placeAt(where), call)),
    build: (request, call) => build(machine, request, call),
  };
}

/** Budget first, then query, then the name: a negative budget is told even where there is no cache. */
function checked({ cache, query, budget }: Asked): { cache: string; query: string; budget: number } {
  if (typeof budget !== "number" || !Number.isSafeInteger(budget) || budget < 0)
    throw cacheFailure("invalid_budget");
  if (typeof query !== "string" || /\p{Surrogate}/u.test(query)) throw cacheFailure("invalid_query");
  return { cache: checkedName(cache), query, budget };
}

function checkedForPeople(asked: Asked) {
  try {
    return checked(asked);
  } catch (thrown) {
    if (isFailure(thrown, "invalid_budget"))
      throw cacheFailure("invalid_budget", {
        message: "Budget is invalid: --budget takes a whole number from 0.",
      });
    if (isFailure(thrown, "invalid_query"))
      throw cacheFailure("invalid_query", { message: "Query is invalid: --query takes a text." });
    throw thrown;
  }
}

function checkedName(name: unknown): string {
  if (typeof name === "string") return name;
  throw new DomainError("invalid_input", "cache must be the name of a cache.", {
    reason: "schema",
    details: { param: "cache", params: ["cache"] },
  });
}

/** Adds to the contract's bare sentences what a person needs to go on. */
async function naming<T>(cache: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    if (thrown.reason === "cache_missing")
      throw cacheFailure("cache_missing", {
        message: `Cache does not exist: ${cache}. See contextful caches list, or build it with contextful caches build.`,
      });
    if (thrown.reason === "cache_invalid" && !thrown.message.includes("\n"))
      throw cacheFailure("cache_invalid", {
        message: `Cache exists but is invalid: ${cache}. contextful caches verify says why.`,
      });
    const errno = errnoOf(thrown.cause);
    if (thrown.reason === "io_error" && errno !== undefined)
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

async function build(machine: Machine, request: BuildRequest, call: Call): Promise<Built> {
  const isIncluded = includes(request.include);
  const root = await directoryOf(request.sources);
  const cache = await targetOf(request.cache);
  const isSkipped = (path: string) => isOfCache(cache, path);
  try {
    return await whileLocked(cache, call.signal, async () => {
      await tidyAfterKill(cache);
      checkTarget(cache, request.force);
      const sources = await findSources(root, { isIncluded, isSkipped });
      if (request.include !== undefined && sources.length === 0)
        throw new DomainError("invalid_input", `Nothing in ${request.sources} matches ${request.include}.`);
      const into = passingPlace(cache);
      const createdAt = machine.now().toISOString();
      await writeCache({ root, sources, into, createdAt, progress: call.progress, signal: call.signal });
      await putInPlace(into, cache);
      return { cache, documents: sources.length };
    });
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    throw cacheFailure("io_error", { message: `Cannot write the cache ${cache} (${errno}).`, cause: thrown });
  }
}

async function directoryOf(sources: string): Promise<string> {
  const real = await realpath(resolve(sources)).catch(() => undefined);
  if (real !== undefined && (await stat(real)).isDirectory()) return real;
  throw cacheFailure("io_error", { message: `Sources are not a directory: ${sources}` });
}

/** The real place of a cache to build, which need not exist: two names of one place must share a lock. */
async function targetOf(cache: string): Promise<string> {
  const path = resolve(cache);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  return join(parent, basename(path));
}
