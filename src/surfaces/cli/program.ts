import { Command as CliCommand } from "commander";
import { edgeError } from "../../core/edge-error.ts";
import type { NextStep } from "../../core/errors.ts";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App } from "../../core/room-offer.ts";
import { type Command, commandsOf, invokeView, type Tool } from "../../core/tool.ts";
import { ROOM_SUMMARY, ROOMS, type RoomName } from "../rooms.ts";
import { attendedCall, progressOn, writerName } from "./call.ts";
import type { CliContext, OpenOptions } from "./cli-context.ts";
import { groupOf, groupOfCommand, nextCommandLine, nextWords } from "./command-line.ts";
import { FAILURE, INTERRUPTED, OK } from "./exit-codes.ts";
import { addFlags, inputOf } from "./flags.ts";
import { asJson, asText } from "./printed.ts";
import { checkProject } from "./project-flags.ts";
import { tellError } from "./tell-error.ts";

const JSON_LINES = "Print each event as a line of JSON when it happens, and the answer as the last line";
/** Both words work for every command that removes something. */
const ALIASES: Readonly<Record<string, string>> = { rm: "remove", remove: "rm" };

/** One run of the command line. */
export interface CliRun {
  readonly context: CliContext;
  readonly project: OpenOptions;
  /** The project's app, opened at the first call. */
  app(): Promise<App>;
  finish(code: number): void;
}

/** Adds the tools' commands. Flags are made only for the group that was asked for, because schemas cost time. */
export async function addToolCommands(
  program: CliCommand,
  run: CliRun,
  asked: string | undefined,
): Promise<void> {
  for (const tool of (await run.app()).tools) {
    for (const command of commandsOf(tool)) {
      const group = groupOfCommand(tool, command);
      const parent = group ? childNamed(program, group, summaryOf(tool.room)) : program;
      const words = command.words.split(" ");
      const leaf = words.reduce((above, word) => childNamed(above, word), parent);
      const description = command.description ?? tool.description;
      leaf.description(description).summary(firstSentence(description));
      describeGroup(leaf.parent, parent);
      const isAsked = asked === undefined || asked === (group ?? words[0]);
      if (isAsked) addLeaf(leaf, { tool, command }, run);
    }
  }
}

/** The room whose commands are in this group. */
export const roomOfGroup = (group: string | undefined): RoomName | undefined =>
  ROOMS.find((room) => group !== undefined && groupOf(room) === group);

/** Commands at the top that are called all the time: only their room is opened. */
const ROOM_OF_TOP: Readonly<Record<string, RoomName>> = { search: "code-index" };

/** The room that has all commands beginning with this word; `undefined` if only the tools tell. */
export const roomOfWord = (word: string | undefined): RoomName | undefined =>
  roomOfGroup(word) ??
  (word !== undefined && Object.hasOwn(ROOM_OF_TOP, word) ? ROOM_OF_TOP[word] : undefined);

/** In the list of its group a command has one line; the rest is in its own help. */
const firstSentence = (text: string): string =>
  /^.*?(?=, e\.g\.|[.](?:\s+[A-Z]|$)|[:;]\s)/s.exec(text)?.[0] ?? text;

const summaryOf = (room: string): string =>
  Object.entries(ROOM_SUMMARY).find(([name]) => name === room)?.[1] ?? "";

/** The usual verbs of a group, in the order of its sentence. */
const VERBS = ["add", "get", "set", "list", "remove"] as const;

/** A group within a group says in one sentence what can be done with it: "Add, get, list or remove skill entries, and more". */
function describeGroup(group: CliCommand | null, top: CliCommand): void {
  if (!group || group === top || hasOwnDescription(group)) return;
  const names = group.commands.map((child) => (child.name() === "rm" ? "remove" : child.name()));
  const usual = VERBS.filter((verb) => names.includes(verb));
  const shown: readonly string[] = usual.length > 0 ? usual : names;
  const verbs = shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
  const noun = names.includes("list") ? `${group.name()} entries` : `the ${group.name()}`;
  const more = names.length > shown.length ? ", and more" : "";
  group.description(`${verbs.charAt(0).toUpperCase()}${verbs.slice(1)} ${noun}${more}`);
}

/** A group that is also a command, such as `conflicts`, has the command's description. */
const hasOwnDescription = (group: CliCommand): boolean => group.summary() !== "";

interface Leaf {
  readonly tool: Tool;
  readonly command: Command;
}

function addLeaf(leaf: CliCommand, { tool, command }: Leaf, { context, project, app, finish }: CliRun): void {
  addFlags(leaf, tool, command);
  if (!has(leaf, "--json")) leaf.option("--json", tool.events ? JSON_LINES : "Print one JSON document");
  if (!has(leaf, "--root")) leaf.option("--root <DIR>", "The project, if it is not the current directory");
  if (tool.room === "context-caches" && !has(leaf, "--cache-root")) {
    leaf.option("--cache-root <DIR>", "Where caches are found by name");
  }
  const { examples = [] } = command;
  if (examples.length > 0)
    leaf.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
  leaf.action(async (...given: unknown[]) => {
    const options = leaf.opts();
    const input = inputOf({ tool, command }, given, options);
    checkProject(project, typeof options["root"] === "string" ? options["root"] : undefined, context.cwd);
    context.services.requireDirectory(project.root);
    finish(
      await runTool({ context, app: await app(), tool, command, input, isJson: options["json"] === true }),
    );
  });
}

const has = (command: CliCommand, flag: string) => command.options.some((option) => option.long === flag);

function childNamed(parent: CliCommand, name: string, summary = ""): CliCommand {
  const known = parent.commands.find((child) => child.name() === name);
  if (known) return known;
  const child = new CliCommand(name).copyInheritedSettings(parent);
  if (summary) child.description(summary);
  const alias = ALIASES[name];
  if (alias) child.alias(alias);
  parent.addCommand(child);
  return child;
}

/** Starts the next step, or says what to type. */
async function takeNext(
  next: NextStep,
  { context, app, isJson }: Pick<ToolRun, "context" | "app" | "isJson">,
): Promise<void> {
  const words = nextWords(next, app.tools, context.cwd);
  const line = nextCommandLine(next, app.tools, context.cwd);
  if (words === undefined || line === undefined) return;
  if (next.isInBackground) {
    await context.services.startAlone(words);
    context.err(`Started in the background: ${escapeControl(line)}\n`);
  } else if (!isJson) context.out(`Run: ${escapeControl(line)}\n`);
}

interface ToolRun {
  readonly context: CliContext;
  readonly app: App;
  readonly tool: Tool;
  readonly command: Command;
  readonly input: Readonly<Record<string, unknown>>;
  readonly isJson: boolean;
}

/** Runs a command for a person and prints the answer; returns the exit code. */
async function runTool({ context, app, tool, command, input, isJson }: ToolRun): Promise<number> {
  const progress = progressOn(context);
  try {
    const view = { tool, view: command, context: { root: app.machine.root } };
    const actor =
      tool.effect === "writes" ? await writerName(app.machine.root, context.actor) : context.actor;
    const call = attendedCall({ ...context, actor }, tool, { progress, isJson });
    const answer = await invokeView(view, input, call);
    const { output } = answer;
    progress.end();
    // A call with events is meant to be stopped, so that is a normal end.
    const isCutShort = context.signal.aborted && !tool.events;
    if (isCutShort && command.exitCode === undefined) return INTERRUPTED;
    context.out(isJson ? asJson(tool, output) : asText(answer.show(), command));
    if (answer.next) await takeNext(answer.next, { context, app, isJson });
    if (isCutShort) return INTERRUPTED;
    return command.exitCode?.(output) ?? (tool.failed?.(output) ? FAILURE : OK);
  } catch (thrown) {
    progress.end();
    if (context.signal.aborted) return INTERRUPTED;
    const ran = { tool, command, input, tools: app.tools };
    return tellError(context, edgeError(thrown, app.machine.logger), { ran, isJson });
  }
}
