import type { Command, CommanderError } from "commander";
import { nearest } from "../../core/nearest.ts";

/** Most commands that are suggested for one unknown word. */
const MOST_SUGGESTED = 5;

/** What to type instead of a command line that was refused. */
export function usageAdvice(
  program: Command,
  argv: readonly string[],
  { code, message }: CommanderError,
): string {
  // Commander has printed the help already.
  if (code === "commander.help") return "";
  const asked = commandAsked(program, argv);
  const line = ["contextful", ...asked.words].join(" ");
  const [, refused = ""] = /'(.*)'/.exec(message) ?? [];
  return [...adviceLines({ ...asked, line, code, refused }), `More: ${line} --help`, ""].join("\n");
}

interface RefusedLine {
  readonly command: Command;
  /** What was understood, such as `contextful memory`. */
  readonly line: string;
  readonly code: string;
  /** The word that was refused. */
  readonly refused: string;
}

function adviceLines({ command, line, code, refused }: RefusedLine): readonly string[] {
  switch (code) {
    case "commander.unknownCommand":
      return similarCommands(command, refused).map((words) => `Did you mean ${line} ${words}?`);
    case "commander.unknownOption": {
      const meant = nearest(refused, longOptions(command));
      return meant === undefined ? [] : [`Did you mean ${meant}?`];
    }
    case "commander.missingArgument":
      return [`Usage: ${command.createHelp().commandUsage(command)}`];
    case "commander.excessArguments":
      return command.registeredArguments.length === 0
        ? []
        : [`Put several words in quotes: ${line} "${command.args.join(" ")}"`];
    default:
      return [];
  }
}

/** The command that the words lead to, as far as they are commands. */
function commandAsked(program: Command, argv: readonly string[]) {
  let command = program;
  const words: string[] = [];
  for (const word of argv.filter((each) => !each.startsWith("-"))) {
    const child = childOf(command, word);
    if (!child) break;
    command = child;
    words.push(word);
  }
  return { command, words };
}

const childOf = (command: Command, word: string) =>
  command.commands.find((each) => each.name() === word || each.aliases().includes(word));

/** The same word in a deeper group or as an option; else similar words, here first; else words that begin alike. */
function similarCommands(group: Command, word: string): readonly string[] {
  const paths = pathsBelow(group).toSorted((a, b) => a.length - b.length);
  const endingIn = (last: string | undefined) => paths.filter((path) => path.at(-1) === last);
  const option = `--${word}`;
  const same = [...(longOptions(group).includes(option) ? [[option]] : []), ...endingIn(word)];
  const found =
    same.length > 0
      ? same
      : endingIn(
          nearest(
            word,
            paths.map((path) => path.at(-1) ?? ""),
          ),
        );
  const alike =
    found.length > 0
      ? found
      : paths.filter(([first, ...deeper]) => deeper.length === 0 && first?.startsWith(word.slice(0, 3)));
  return alike.slice(0, MOST_SUGGESTED).map((path) => path.join(" "));
}

const longOptions = (command: Command) => [...command.options.flatMap(({ long }) => long ?? []), "--help"];

const pathsBelow = (group: Command): readonly string[][] =>
  group.commands.flatMap((child) => [
    [child.name()],
    ...pathsBelow(child).map((path) => [child.name(), ...path]),
  ]);
