import { existsSync } from "node:fs";
import { join } from "node:path";
import { Argument, Command, CommanderError, Help } from "commander";
import { edgeError } from "../../core/edge-error.ts";
import { once } from "../../core/lazy.ts";
import { stderrLogger } from "../../core/logger.ts";
import type { CliContext } from "./cli-context.ts";
import type { Shell } from "./completion.ts";
import { OK, usageExit } from "./exit-codes.ts";
import { safeJson } from "./printed.ts";
import { addToolCommands, type CliRun, roomOfGroup, roomOfWord } from "./program.ts";
import { readProject } from "./project-flags.ts";
import { addServeCommands } from "./serve-commands.ts";
import { tellError } from "./tell-error.ts";
import { usageAdvice } from "./usage-advice.ts";

/** Finds the command that was asked for, runs it, and returns its exit code. */
export async function runCommand(argv: readonly string[], context: CliContext): Promise<number> {
  if (argv.length === 0) {
    context.out(welcome(context));
    return OK;
  }
  let program: Command | undefined;
  try {
    let code = OK;
    program = await programFor(argv, context, (given) => {
      code = given;
    });
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (thrown) {
    const isRefused = thrown instanceof CommanderError && thrown.exitCode !== 0 && !argv.includes("--json");
    if (program && isRefused) context.err(usageAdvice(program, argv, thrown));
    return tellThrown(thrown, argv, context);
  }
}

/** The whole tree of commands. Only the group that was asked for gets its flags; `help` and `completion` need all of them. */
async function programFor(
  argv: readonly string[],
  context: CliContext,
  finish: CliRun["finish"],
): Promise<Command> {
  const asked = argv.find((word) => !word.startsWith("-"));
  const project = readProject(argv, context.cwd);
  const app = once(async () => context.services.open(project, roomOfWord(asked)));
  const run: CliRun = { context, project, app, finish };
  const program = new Command("contextful")
    .description("The context of a project for every coding agent, from one server.")
    .version(context.version, "-v, --version", "Print the version")
    .helpCommand("help [COMMAND]", "Explain a command")
    // Options after a command's word belong to that command, even if the word before it is a command too.
    .enablePositionalOptions()
    .helpOption("-h, --help", "Show this help")
    .configureHelp({ visibleCommands: (command) => inHelpOrder(new Help().visibleCommands(command)) })
    // `usageAdvice` knows the other groups too.
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: context.err,
      getErrHasColors: () => false,
      getOutHasColors: () => false,
    });
  addServeCommands(program, run);
  const isServing = asked === "mcp" || asked === "serve" || asked === "start";
  if (!isServing && asked !== "doctor") {
    const needsAll = asked === "completion" || asked === "help";
    await addToolCommands(program, run, needsAll ? undefined : (asked ?? ""));
  }
  addOwnCommands(program, run);
  return program;
}

/** What a list of commands begins with: first what most people need, then how things are made, read and removed. */
const FIRST_IN_HELP =
  "search pack start setup doctor init build index add get set show query resolve list status rm".split(" ");

function inHelpOrder(commands: readonly Command[]): Command[] {
  const placeOf = (command: Command) => {
    const place = FIRST_IN_HELP.indexOf(command.name());
    return place === -1 ? FIRST_IN_HELP.length : place;
  };
  return commands.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function addOwnCommands(program: Command, { context, project, app, finish }: CliRun): void {
  program
    .command("doctor")
    .description("Say what works here, what does not, and what the tool list costs a model")
    .option("--json", "Print one JSON document")
    .option("--root <DIR>", "The project, if it is not the current directory")
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const { doctor } = await import("./doctor.ts");
      context.services.requireDirectory(project.root);
      finish(await doctor(context, await app(), options["json"] === true));
    });
  program
    .command("completion")
    .description("Print a completion script: contextful completion bash >> ~/.bashrc")
    .addArgument(new Argument("<SHELL>").choices(["bash", "zsh", "fish"] satisfies Shell[]))
    .action(async (shell: Shell) =>
      context.out((await import("./completion.ts")).completion(program, shell)),
    );
}

/** Says what ended a command, and returns the exit code. */
export function tellThrown(thrown: unknown, argv: readonly string[], context: CliContext): number {
  const isJson = argv.includes("--json");
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return OK;
    // Commander has already printed the text; a program that asked for JSON gets JSON too, as the last line.
    if (isJson) context.err(`${safeJson({ error: { code: "usage", message: thrown.message } })}\n`);
    return usageExit(roomOfGroup(argv[0]));
  }
  return tellError(context, edgeError(thrown, stderrLogger(context.err)), { isJson });
}

const PROJECT_SIGNS: readonly { readonly file: string; readonly means: string }[] = [
  { file: ".git", means: "a git repository" },
  { file: "go.mod", means: "a Go module" },
  { file: "package.json", means: "a JavaScript package" },
  { file: "pyproject.toml", means: "a Python project" },
  { file: "Cargo.toml", means: "a Rust crate" },
  { file: "pom.xml", means: "a Java project" },
  { file: ".context.yaml", means: "directory contexts" },
  { file: ".context-teleport/manifest.json", means: "team memory" },
  { file: ".context-caches", means: "context caches" },
  { file: "contextful.toml", means: "a contextful configuration" },
];

/** Five lines for someone who typed the bare name: what it is, what is here, what to do. */
function welcome({ cwd, version }: CliContext): string {
  const found = PROJECT_SIGNS.filter(({ file }) => existsSync(join(cwd, file))).map(({ means }) => means);
  return `Contextful ${version} gives every coding agent the context of a project, from one server.
Here: ${cwd}${found.length === 0 ? ", nothing configured yet" : `, with ${found.join(", ")}`}.
Try it:        contextful start
Your clients:  contextful setup
More:          contextful --help, contextful doctor
`;
}
