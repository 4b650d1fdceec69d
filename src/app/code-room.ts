import { type CodeIndex, openCodeIndex } from "../capabilities/code-index/index.ts";
import type { Machine } from "../core/machine.ts";

/** The code index. What it publishes to a team's server takes the other rooms along. */
export const openCodeRoom = (machine: Machine, writes?: () => number): CodeIndex =>
  openCodeIndex(machine, {
    publishClone: async (clone, call) => {
      const { publishClone } = await import("./team-projects/publish-project.ts");
      return publishClone(machine)(clone, call);
    },
    writes,
  });
