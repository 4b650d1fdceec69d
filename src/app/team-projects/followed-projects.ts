import { join } from "node:path";
import { type FollowedCode, openPublishedCode } from "../../capabilities/code-index/index.ts";
import type { FollowedProject, ProjectRooms } from "../../capabilities/team/index.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import { FollowedRooms } from "./followed-rooms.ts";
import { codeTools, memoryOffers, roomTemplates } from "./served-tools.ts";

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
        rooms.use(followed, (opened) => opened.run(followed, { name: template.name, input, call }), call),
    })),
  ];
  const offers = memoryOffers(machine);
  const projectOf = (followed: FollowedCode): FollowedProject => ({
    generation: followed.generation,
    root: followed.root,
    upperBound: followed.upperBound,
    tools: toolsOf(followed),
    resources: {
      ...offers.resources,
      read: (uri) => rooms.use(followed, (opened) => opened.readResource(followed, uri)),
    },
    prompts: offers.prompts.map((prompt) => ({
      ...prompt,
      render: (values) => rooms.use(followed, (opened) => opened.renderPrompt(followed, prompt.name, values)),
    })),
  });
  const made = new WeakMap<FollowedCode, FollowedProject>();
  return {
    use: (key, run, signal) =>
      code.use(
        key,
        (followed) => {
          const project = made.get(followed) ?? projectOf(followed);
          made.set(followed, project);
          return run(project);
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
