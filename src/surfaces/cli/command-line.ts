import type { NextStep } from "../../core/errors.ts";
import { type Command, commandsOf, formOf, type Tool } from "../../core/tool.ts";
import { isRoomName, type RoomName } from "../rooms.ts";
import { flagOf } from "./flags.ts";

/** The group of a room's commands; commands of a room without a group are at the top. */
const GROUP = {
  "directory-contexts": "directories",
  "context-caches": "caches",
  "team-memory": "memory",
  documents: "documents",
  "code-index": "code",
  packs: undefined,
  evaluation: undefined,
  clients: undefined,
  team: "team",
} as const satisfies Record<RoomName, string | undefined>;

export const groupOf = (room: string): string | undefined => (isRoomName(room) ? GROUP[room] : undefined);

/** What a person types to run a tool, before its arguments. */
export const commandLine = (tool: Tool, command: Command): string =>
  ["contextful", groupOfCommand(tool, command), command.words].filter(Boolean).join(" ");

export const groupOfCommand = ({ room }: Tool, { isTop }: Command): string | undefined =>
  isTop ? undefined : groupOf(room);

/** The words of a next step after the program's name, with the input that has a place in them; `undefined` if no command does it. */
export function nextWords(next: NextStep, tools: readonly Tool[], cwd: string): string[] | undefined {
  const tool = tools.find(({ name }) => name === next.tool);
  const command = tool && commandsOf(tool)[0];
  if (!command) return undefined;
  const fields = Object.keys(formOf(tool, command).shape);
  const { positional = [] } = command;
  const words = [...positional, ...fields.filter((name) => !positional.includes(name))].flatMap((name) => {
    const value = next.input?.[name];
    if (typeof value !== "string") return [];
    const word = value === cwd ? "." : value;
    return positional.includes(name) ? [word] : [flagOf(command, name), word];
  });
  return [...commandLine(tool, command).split(" ").slice(1), ...words];
}

/** The same as a person types it. */
export function nextCommandLine(next: NextStep, tools: readonly Tool[], cwd: string): string | undefined {
  const words = nextWords(next, tools, cwd);
  return words && ["contextful", ...words.map(quoted)].join(" ");
}

const quoted = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
