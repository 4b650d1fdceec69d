import { join } from "node:path";
import { type FollowedCode, openPublishedCode } from "../../capabilities/code-index/index.ts";
import type { ProjectRooms } from "../../capabilities/team/index.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import { FollowedRooms } from "./followed-rooms.ts";
import { codeTools, roomTemplates } from "./served-tools.ts";

type Open = ProjectRooms["open"];

/** Half of the disk is for code; a quarter for documents and files each, which are there twice. */
const CODE_SHARE = 1 / 2;
const ROOM_SHARE = 1 / 6;

/** Published projects: the index of the code at once, the other rooms when one of their tools is called. */
export function openFollowedProjects(
  machine: Machine,
  { replica, directory, maxBytes, maxOpen }: Parameters<Open>[0],
): ReturnType<Open> {
  const code = openPublishedCode(machine, {
    replica,
    directory: join(directory, "followed"),
    maxBytes: maxBytes * CODE_SHARE,
    maxOpen,
  });
  const rooms = new FollowedRooms(machine, { replica, directory, maxBytes: maxBytes * ROOM_SHARE, maxOpen });
  const templates = roomTemplates(machine);
  const toolsOf = (followed: FollowedCode): readonly Tool[] => [
    ...codeTools(followed.tools),
    ...templates.map((template) => ({
      ...template,
      run: (input: Readonly<Record<string, unknown>>, call: Parameters<Tool["run"]>[1]) =>
        rooms.run(followed, { name: template.name, input, call }),
    })),
  ];
  const made = new WeakMap<FollowedCode, readonly Tool[]>();
  return {
    use: (key, run, signal) =>
      code.use(
        key,
        (followed) => {
          const tools = made.get(followed) ?? toolsOf(followed);
          made.set(followed, tools);
          return run({ generation: followed.generation, root: followed.root, tools });
        },
        signal,
      ),
    async follow(generation, signal) {
      await code.follow(generation, signal);
      await rooms.followUsed(generation, signal);
    },
    held: () => code.held(),
    async [Symbol.asyncDispose]() {
      await rooms.close();
      await code[Symbol.asyncDispose]();
    },
  };
}
