import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { lstatReachable } from "../files/opened-path.ts";

/**
 * Commands that run no program named in a repository's configuration, whatever flags they get. Every other command may run
 * filters, merge drivers, text converters, signing programs or transport helpers.
 */
const RUNS_NO_PROGRAM = new Set([
  ...["check-attr", "check-ignore", "config", "fast-import", "init", "ls-tree", "merge-base", "mktree"],
  ...["rev-parse", "symbolic-ref", "update-ref", "var", "version", "write-tree"],
]);

export const mayRunPrograms = ([command = "", ...rest]: readonly string[]): boolean =>
  !RUNS_NO_PROGRAM.has(command) &&
  // To see whether a touched file is modified, git compares its content after the filter.
  (command !== "ls-files" || rest.some((flag) => /^-[^-]*m|^--m/.test(flag)));

/** For each such key, a value that runs nothing and changes no content. A failing merge driver leaves a conflict. */
const HARMLESS: readonly (readonly [key: RegExp, value: string])[] = [
  [/^filter\..*\.(?:clean|smudge|process)$/s, ""],
  [/^filter\..*\.required$/s, "false"],
  [/^diff\..*\.textconv$/s, "cat"],
  [/^diff\..*\.command$/s, "true"],
  [/^merge\..*\.driver$/s, "false"],
  [/^gpg\.(?:.*\.)?program$/s, "false"],
  [/^(?:commit|tag|push)\.gpgsign$/, "false"],
  [/^credential\.(?:.*\.)?helper$/s, ""],
  [/^remote\..*\.uploadpack$/s, "git-upload-pack"],
  [/^remote\..*\.receivepack$/s, "git-receive-pack"],
  [/^core\.alternaterefscommand$/, "true"],
  [/^trailer\..*\.(?:command|cmd)$/s, "true"],
  [/^alias\..*$/s, "version"],
  [/^http\.(?:.*\.)?sslverify$/s, "true"],
];

/** The `git config` arguments: the keys above and two of the user's own. */
export const LIST_PROGRAMS = [
  "config",
  "-z",
  "--show-scope",
  "--get-regexp",
  "^(alias|filter|diff|merge|gpg|commit|tag|push|credential|remote|trailer|http)\\.|^core\\.(alternaterefscommand|sshcommand)$|^safe\\.directory$",
];

export interface RepositoryPrograms {
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** From the user's own configuration only. */
  readonly sshCommand: string | undefined;
  readonly safeDirectories: readonly string[];
  /** Variables that make sure git uses the repository that was looked at. */
  readonly env?: Readonly<Record<string, string>>;
}
export const NO_PROGRAMS: RepositoryPrograms = { overrides: [], sshCommand: undefined, safeDirectories: [] };

/**
 * The same without asking git, if the text of the configuration shows that a repository sets none of these keys, also not
 * through another file: names cannot be escaped there. Else `undefined`. Most repositories set none, and the process that
 * asks takes as long as the one that it comes before.
 */
export function programsByText(top: string): RepositoryPrograms | undefined {
  const git = join(top, ".git");
  const config = join(git, "config");
  // With `commondir` the configuration is elsewhere. A FIFO would block.
  if (lstatReachable(join(git, "commondir")) || !lstatReachable(config)?.isFile()) return undefined;
  if (MAY_SET_PROGRAM.test(readFileSync(config, "latin1"))) return undefined;
  // If this is no repository after all, git must not go on to the one above.
  return { ...NO_PROGRAMS, env: { GIT_CEILING_DIRECTORIES: dirname(realpathSync(top)) } };
}

/** The last words of the keys above, and what makes git read other files. */
const MAY_SET_PROGRAM =
  /include|worktreeconfig|alias|clean|smudge|process|required|textconv|command|driver|program|gpgsign|helper|uploadpack|receivepack|cmd|sslverify/i;

/** Parses the output. Values set by the repository, also through includes, get harmless ones; the user's own stay. */
export function parsePrograms(output: string): RepositoryPrograms {
  const fields = output.split("\0");
  const overrides = new Map<string, string>();
  const helpers: string[] = [];
  const safeDirectories: string[] = [];
  let sshCommand: string | undefined;
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const scope = fields[index] ?? "";
    const [key = "", ...rest] = (fields[index + 1] ?? "").split("\n");
    const value = rest.join("\n");
    const isUsers = scope === "system" || scope === "global";
    if (isUsers && key === "core.sshcommand") sshCommand = value;
    if (isUsers && key === "credential.helper") helpers.push(value);
    if (isUsers && key === "safe.directory") safeDirectories.push(value);
    const harmless = HARMLESS.find(([pattern]) => pattern.test(key))?.[1];
    if (!isUsers && harmless !== undefined) overrides.set(key, harmless);
  }
  // An empty helper clears the whole list, so the user's own helpers are added again.
  const restored = [...overrides.keys()].some((key) => key.startsWith("credential.")) ? helpers : [];
  return {
    overrides: [...overrides, ...restored.map((helper): [string, string] => ["credential.helper", helper])],
    sshCommand,
    safeDirectories,
  };
}
