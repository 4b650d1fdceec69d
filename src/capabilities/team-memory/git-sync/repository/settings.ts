import { resolve } from "node:path";
import { askGit } from "../../../../core/git/git.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly pushUrl: string;
  /** What our branch is called there, e.g. `refs/heads/main`. */
  readonly branch: string;
  /** Where we remember what the remote had at the last fetch. */
  readonly trackingRef: string;
}

/** What git's configuration says of remotes, hooks and line ends; the user's own counts, as for git. */
export interface GitSettings {
  remoteOf(branch: string): Remote | undefined;
  /** The folder hooks would run from, if we ran any. */
  readonly hooks: string;
  /** Text is stored with line feeds whatever stands on disk. */
  readonly isLfStored: boolean;
}

const HEADS = "refs/heads/";
const KEYS = "^(remote|branch)\\..*\\.(url|pushurl|remote|merge)$|^core\\.(autocrlf|hookspath)$";

/** Asks for all of it at once. `commonDirectory` is only known later, so the folder of hooks is made with it. */
export async function readSettings(root: string): Promise<(place: HooksPlace) => GitSettings> {
  const output =
    (await askGit(["config", "-z", "--show-scope", "--get-regexp", KEYS], { cwd: root, network: true })) ??
    "";
  const first = new Map<string, string>();
  const last = new Map<string, string>();
  const fields = output.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    // What this process itself sets, to keep git from running hooks.
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

interface HooksPlace {
  readonly top: string;
  readonly commonDirectory: string;
}
type Values = ReadonlyMap<string, string>;

/** The branch's own remote, else `origin`, else the only one there is. */
function remoteOf(branch: string, first: Values, last: Values): Remote | undefined {
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
