import { isInitialised, locate } from "../store/locate.ts";

/** What an agent reads before its first call. A server says it before it opens the room, so a project without a store loads nothing. */
export async function memoryInstructions(root: string): Promise<string | undefined> {
  const place = locate(root);
  if (place === undefined) return undefined;
  if (!isInitialised(place)) return "Team memory is empty.";
  return (await import("./describe-store.ts")).describeStore(place);
}
