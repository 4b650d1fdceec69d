import { z } from "zod";
import { CLIENT_IDS } from "../../capabilities/clients/index.ts";
import type { toolCaller } from "./tool-caller.ts";

const Printed = z.object({ snippet: z.string() });

/** For each client the text that `contextful setup CLIENT --print` prints. */
export const clientEntries = ({ ask }: ReturnType<typeof toolCaller>) =>
  Promise.all(
    CLIENT_IDS.map(async (id) => {
      const printed = Printed.safeParse(await ask("clients_setup", { clients: [id], print: true }));
      return { id, entry: printed.data?.snippet ?? "" };
    }),
  );
