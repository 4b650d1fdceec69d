import { memoryInstructions } from "../capabilities/team-memory/instructions/index.ts";

/** What `App.instructions` of all rooms says, without opening them. Only team memory has something to say. */
export const roomInstructions = async (root: string): Promise<string | undefined> =>
  (await memoryInstructions(root)) || undefined;
