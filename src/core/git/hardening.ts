/** Settings that stop git from running programs and from comparing huge files; they override the repository's own. */
const SETTINGS = [
  // Larger files are not indexed either. In a patch they count as binary: else one file fills the memory.
  "core.bigFileThreshold=4m",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "diff.external=",
  "log.showSignature=false",
  "safe.bareRepository=explicit",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** Commands that show differences: they accept, and need, the flags against helper programs. */
const SHOWS_DIFFERENCES = new Set([
  "diff",
  "diff-tree",
  "diff-index",
  "diff-files",
  "log",
  "show",
  "whatchanged",
]);
const SHOWS_TEXT = new Set(["blame", "annotate", "grep"]);

/** To see whether a submodule is modified, git runs git in it, where the submodule's own filters would run. */
const IGNORED_SUBMODULES = "--ignore-submodules=dirty";

/** Commands that need the user's configuration: it names the user's global ignore file. */
export const asksWhatIsIgnored = (args: readonly string[]): boolean =>
  args[0] === "check-ignore" || args.includes("--exclude-standard");

/** What a command that may use the network does: how long a remote may be silent. `undefined`: no network. */
interface NetworkLimits {
  readonly silentSeconds: number;
}

/** The whole argument list for a git command. */
export function hardenedArguments(
  [command = "", ...rest]: readonly string[],
  network: NetworkLimits | undefined,
): string[] {
  const forNetwork =
    network === undefined
      ? ["protocol.allow=never"]
      : // A remote that accepts the connection and sends nothing would hold the caller for minutes.
        ["http.lowSpeedLimit=1", `http.lowSpeedTime=${network.silentSeconds}`];
  const off = SHOWS_DIFFERENCES.has(command)
    ? ["--no-ext-diff", "--no-textconv", "--submodule=short", IGNORED_SUBMODULES]
    : SHOWS_TEXT.has(command)
      ? ["--no-textconv"]
      : command === "status"
        ? [IGNORED_SUBMODULES]
        : [];
  return [
    "--no-pager",
    // check-ignore takes plain paths anyway and fails with this flag.
    ...(command === "check-ignore" ? [] : ["--literal-pathspecs"]),
    ...[...SETTINGS, ...forNetwork].flatMap((setting) => ["-c", setting]),
    command,
    ...off,
    ...rest,
  ];
}

export type Protocol = "https" | "http" | "ssh" | "file";

interface EnvironmentOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Which protocols the user's remotes may use. */
  readonly protocols: readonly Protocol[];
  readonly withUsersConfiguration: boolean;
  readonly sshCommand: string;
  /** Keys of the repository's configuration to set to harmless values. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
}

/** The user decides where the configuration is; every other inherited GIT_* variable is dropped. */
const KEPT_VARIABLES = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

export function cleanEnvironment({
  env,
  protocols,
  withUsersConfiguration,
  sshCommand,
  overrides,
}: EnvironmentOptions): NodeJS.ProcessEnv {
  const network = protocols.length > 0;
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("GIT_") || (withUsersConfiguration && KEPT_VARIABLES.has(name)),
  );
  const isolated = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return {
    ...Object.fromEntries(inherited),
    ...(!withUsersConfiguration && isolated),
    ...(network ? { GIT_SSH_COMMAND: sshCommand } : { GIT_NO_LAZY_FETCH: "1" }),
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: ":",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
    GIT_CONFIG_COUNT: String(overrides.length),
    ...Object.fromEntries(
      overrides.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...env,
  };
}
