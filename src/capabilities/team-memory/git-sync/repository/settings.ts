import { resolve } from "node:path";
import { askGit } from "../../../../core/git/git.ts";

export interface SyncRemote {
  readonly name: string;
  readonly url: string;
  readonly pushUrl: string;
  /** The name of our branch on the remote, e.g. `refs/heads/main`. */
  readonly branch: string;
  /** The local ref that holds the result of the last fetch. */
  readonly trackingRef: string;
}

/** Git's configuration of remotes, hooks and line ends, including the user's own. */
export interface GitSettings {
  remoteOf(branch: string): SyncRemote | undefined;
  /** The folder of the hooks. */
  readonly hooks: string;
  /** Git stores text with line feeds, whatever is on disk. */
  readonly isLfStored: boolean;
}

const HEADS = "refs/heads/";
const KEYS = "^(remote|branch)\\..*\\.(url|pushurl|remote|merge)$|^core\\.(autocrlf|hookspath)$";

/** Reads all settings with one git call. `commonDirectory` is only known later, so the hooks folder is computed then. */
export async function readSettings(root: string): Promise<(place: HookFolders) => GitSettings> {
  const output =
    (await askGit(["config", "-z", "--show-scope", "--get-regexp", KEYS], { cwd: root, network: true })) ??
    "";
  const first = new Map<string, string>();
  const last = new Map<string, string>();
  const fields = output.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    // Set by this process, to keep git from running hooks.
    if (fields[index] === "command") continue;
    const [key = "", ...value] = (fields[index + 1] ?? "").split("\n");
    if (!first.has(key)) first.set(key, value.join("\n"));
    last.set(key, value.join("\n"));
  }
  return ({ top, commonDirectory }) => ({
    remoteOf: (branch) => remoteOf(branch, first, last),
    hooks: resolve(top, last.get("core.hookspath") ?? `${commonDirectory}/hooks`),
    isLfStored: ["true", "input"].includes((last.get("core.autocrlf") ?? "").toLowerCase()),
  });
}

interface HookFolders {
  readonly top: string;
  readonly commonDirectory: string;
}
type ConfigValues = ReadonlyMap<string, string>;

/** The remote of the branch, else `origin`, else the only remote. */
function remoteOf(branch: string, first: ConfigValues, last: ConfigValues): SyncRemote | undefined {
  const short = branch.slice(HEADS.length);
  const names = [...first.keys()].flatMap((key) => /^remote\.(.*)\.url$/s.exec(key)?.[1] ?? []);
  const wanted = [last.get(`branch.${short}.remote`), "origin", names.length === 1 ? names[0] : undefined];
  const name = wanted.find((candidate) => candidate !== undefined && names.includes(candidate));
  const url = name === undefined ? undefined : first.get(`remote.${name}.url`);
  if (name === undefined || !url) return undefined;
  const pushUrl = first.get(`remote.${name}.pushurl`) ?? url;
  const tracked = last.get(`branch.${short}.remote`) === name ? last.get(`branch.${short}.merge`) : undefined;
  const there = tracked?.startsWith(HEADS) ? tracked : branch;
  return {
    name,
    url,
    pushUrl,
    branch: there,
    trackingRef: `refs/remotes/${name}/${there.slice(HEADS.length)}`,
  };
}
