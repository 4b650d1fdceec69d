import { resolve } from "node:path";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { type BuildRequest, type Built, buildCache } from "./build/build.ts";
import { cacheFailure } from "./failures.ts";
import { type ListedCache, listCaches } from "./list.ts";
import { naming } from "./naming.ts";
import { placeOfName, placeOfPath } from "./place.ts";
import { explanationOf } from "./resolve/explain.ts";
import type { Explanation } from "./resolve/explanation.ts";
import { holdCaches } from "./resolve/held-caches.ts";
import { type Asked, checked, checkedForPeople, checkedName } from "./resolve/question.ts";
import type { Resolution } from "./resolve/resolution.ts";
import { resolutionOf } from "./resolve/resolve.ts";
import { inspectForAgents, inspectForPeople } from "./verify/inspect.ts";
import type { Inspection } from "./verify/inspection.ts";
import { type Verified, verifyCache } from "./verify/verify.ts";

/** Where the caches of a command are; people may name another root than the server's. */
interface Where {
  readonly cache: string;
  readonly cache_root?: string | undefined;
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
    build: (request, call) => buildCache(machine, request, call),
  };
}
