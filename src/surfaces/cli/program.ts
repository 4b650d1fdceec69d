import { Command } from "commander";
import type { App } from "../../core/room-offer.ts";
import type { Room, Tool } from "../../core/tool.ts";
import { addFlags, inputOf } from "./flags.ts";
import { runTool } from "./run-tool.ts";
import type { World } from "./world.ts";

/** The group a room's commands stand in; rooms without one stand at the top. */
const GROUP = {
  "directory-contexts": {
    name: "directories",
    summary: "What each directory is for, and whether that is still true",
  },
  "context-caches": {
    name: "caches",
    summary: "Build caches of documents; the same question gives the same bytes",
  },
  "team-memory": {
    name: "memory",
    summary: "What the team knows, decided and agreed on, kept in the repository",
  },
  documents: { name: "documents", summary: "Bring documents in from connectors, find them, read them" },
  "code-index": { name: "code", summary: "Index code; find it by name or by meaning" },
  packs: undefined,
  clients: undefined,
} as const satisfies Record<Room, { name: string; summary: string } | undefined>;

const JSON_LINES = "Print each event as a line of JSON when it happens, and the answer as the last line";

/** Where a command runs, and where its exit code goes. */
export interface Place {
  readonly world: World;
  /** Opens the project at `root`; once per run. */
  open(options: Readonly<Record<string, unknown>>): App;
  finish(code: number): void;
}

/** The rooms' commands, from their tools. Flags are made only for the group that was asked for: schemas cost time. */
export function addToolCommands(
  program: Command,
  { tools, asked }: { readonly tools: readonly Tool[]; readonly asked: string | undefined },
  place: Place,
): void {
  for (const tool of tools) {
    if (tool.command === undefined) continue;
    const group = GROUP[tool.room];
    const parent = group ? childNamed(program, group.name, group.summary) : program;
    const words = tool.command.words.split(" ");
    const command = words.reduce((above, word) => childNamed(above, word), parent);
    command.description(tool.description).summary(firstSentence(tool.description));
    describeGroup(command.parent, parent);
    const isAsked = asked === undefined || asked === (group?.name ?? words[0]);
    if (isAsked) addLeaf(command, tool, place);
  }
}

/** In the list of its group a command has one line; the rest is in its own help. */
const firstSentence = (text: string): string =>
  /^.*?(?=, e\.g\.|[.](?:\s+[A-Z]|$)|[:;]\s)/s.exec(text)?.[0] ?? text;

/** A group within a group, such as `skill` of `memory`, says what can be done with it. */
function describeGroup(group: Command | null, top: Command): void {
  if (group && group !== top && group.summary() === "")
    group.description(group.commands.map((child) => child.name()).join(", "));
}

/** What a person types to run a tool, before its arguments. */
export const commandLine = ({ room, command }: Tool): string =>
  ["contextful", GROUP[room]?.name, command?.words].filter(Boolean).join(" ");

export const roomOfGroup = (name: string | undefined): Room | undefined =>
  (Object.keys(GROUP) as Room[]).find((room) => GROUP[room]?.name === name); // Object.keys forgets the key type.

function addLeaf(command: Command, tool: Tool, place: Place): void {
  addFlags(command, tool);
  if (!has(command, "--json")) command.option("--json", tool.events ? JSON_LINES : "Print one JSON document");
  if (!has(command, "--root"))
    command.option("--root <DIR>", "The project, where it is not the current directory");
  if (tool.room === "context-caches" && !has(command, "--cache-root")) {
    command.option("--cache-root <DIR>", "Where caches are found by name");
  }
  const examples = tool.command?.examples ?? [];
  if (examples.length > 0)
    command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
  command.action(async (...given: unknown[]) => {
    const options = command.opts();
    const input = inputOf(tool, given, options);
    const app = place.open(options);
    const live = app.tools.find((known) => known.name === tool.name) ?? tool;
    place.finish(
      await runTool({ world: place.world, app, tool: live, input, isJson: options["json"] === true }),
    );
  });
}

const has = (command: Command, flag: string) => command.options.some((option) => option.long === flag);

function childNamed(parent: Command, name: string, summary = ""): Command {
  const known = parent.commands.find((child) => child.name() === name);
  if (known) return known;
  const child = new Command(name).copyInheritedSettings(parent);
  if (summary) child.description(summary);
  parent.addCommand(child);
  return child;
}
