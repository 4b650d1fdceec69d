import { Argument, Command, CommanderError } from "commander";
import { edgeError } from "../../core/edge-error.ts";
import { stderrLogger } from "../../core/logger.ts";
import type { Shell } from "./completion.ts";
import { OK, usageExit } from "./exit-codes.ts";
import { safeJson } from "./printed.ts";
import { addToolCommands, type Place, roomOfGroup } from "./program.ts";
import { addServeCommands } from "./serve-commands.ts";
import { tellError } from "./tell-error.ts";
import { welcome } from "./welcome.ts";
import type { World } from "./world.ts";

/** Finds the command that was asked for, runs it, and gives its exit code. */
export async function runCommand(argv: readonly string[], world: World): Promise<number> {
  try {
    return await run(argv, world);
  } catch (thrown) {
    return tellThrown(thrown, argv, world);
  }
}

async function run(argv: readonly string[], world: World): Promise<number> {
  let code = OK;
  const finish = (given: number) => {
    code = given;
  };
  const asked = argv.find((word) => !word.startsWith("-"));
  const program = programFor(world, asked, finish);
  if (argv.length === 0) {
    world.out(welcome(world.services.open({ root: world.cwd }), world.version));
    return OK;
  }
  await program.parseAsync([...argv], { from: "user" });
  return code;
}

/** The whole tree of commands. Flags of the rooms' commands stand only in the group that is asked for; all of them without one. */
function programFor(world: World, asked: string | undefined, finish: (code: number) => void): Command {
  const open: Place["open"] = (options) =>
    world.services.open({ root: text(options["root"]) ?? world.cwd, cacheRoot: text(options["cacheRoot"]) });
  const place = { world, open, finish };
  const program = new Command("contextful")
    .description("The context of a project for every coding agent, from one server.")
    .version(world.version, "-v, --version", "Print the version")
    .helpCommand("help [COMMAND]", "Explain a command")
    // What stands after a word of a command is that command's, also where the word before it is a command too.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError("(--help shows how it is used)")
    .exitOverride()
    .configureOutput({
      writeOut: world.out,
      writeErr: world.err,
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    });
  addServeCommands(program, place);
  const isServing = asked === "mcp" || asked === "serve" || asked === "start";
  const needsTools = !isServing && asked !== "doctor";
  if (needsTools) {
    const { tools } = world.services.open({ root: world.cwd });
    const needsAll = asked === "completion" || asked === "help";
    addToolCommands(program, { tools, asked: needsAll ? undefined : (asked ?? "") }, place);
  }
  addOwnCommands(program, place);
  return program;
}

function addOwnCommands(program: Command, { world, open, finish }: Place): void {
  program
    .command("doctor")
    .description("Say what works here, what does not, and what the tool list costs a model")
    .option("--json", "Print one JSON document")
    .option("--root <DIR>", "The project, where it is not the current directory")
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const { doctor } = await import("./doctor.ts");
      finish(await doctor(world, open(options), options["json"] === true));
    });
  program
    .command("completion")
    .description("Print a completion script: contextful completion bash >> ~/.bashrc")
    .addArgument(new Argument("<SHELL>").choices(["bash", "zsh", "fish"] satisfies Shell[]))
    .action(async (shell: Shell) => world.out((await import("./completion.ts")).completion(program, shell)));
}

/** Says what ended a command, and gives the exit code. */
export function tellThrown(thrown: unknown, argv: readonly string[], world: World): number {
  const isJson = argv.includes("--json");
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return OK;
    // Commander has said it already, as text; a program that asked for JSON gets that too, as the last line.
    if (isJson) world.err(`${safeJson({ error: { code: "usage", message: thrown.message } })}\n`);
    return usageExit(roomOfGroup(argv[0]));
  }
  return tellError(world, edgeError(thrown, stderrLogger(world.err)), { isJson });
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
