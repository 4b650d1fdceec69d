import { DomainError } from "../../../../core/errors.ts";
import { runGit } from "../../../../core/git/git.ts";
import type { Item } from "../connector.ts";
import { gitConnector } from "../git/git.ts";
import { cloneSettings, gitErrorOf, OUTSIDE, remoteOf } from "../git/git-remote.ts";

interface GitHubWikiOptions {
  readonly label: string;
  readonly repository: string;
  /** The address of the API, if it is not that of github.com. */
  readonly url: string | undefined;
  readonly tags: readonly string[];
  readonly settings: string;
  readonly project: string;
  readonly clones: string;
}

const PAGES = ["**/*.{md,markdown,mediawiki,rst,asciidoc,adoc,org,textile,txt}"];
const MOST_BYTES = 5_000_000;
const DEADLINE_MS = 30_000;

/** Where the wiki of a repository is: not in the API, but a repository beside it. */
export function wikiOf({ repository, url }: Pick<GitHubWikiOptions, "repository" | "url">) {
  const site = url === undefined ? "https://github.com" : url.replace(/\/+$/, "").replace(/\/api\/v3$/, "");
  const page = `${site}/${repository}/wiki`;
  return { site, page, clone: { url: `${site}/${repository}.wiki.git`, shallow: false } };
}

/** The pages of a wiki, from our own clone of it. The token goes to the site of the wiki alone. */
export async function listWiki(
  options: GitHubWikiOptions,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Item[]> {
  const { site, page, clone } = wikiOf(options);
  const gitSettings = cloneSettings(site, token);
  const remote = { ...options, ...clone, gitSettings };
  const branch = await defaultBranch(remote, signal);
  const files = gitConnector({
    ...remote,
    branch,
    root: ".",
    include: PAGES,
    exclude: [],
    maxBytes: MOST_BYTES,
  });
  const { items } = await files.list(signal, { known: new Map(), readAt: undefined });
  return items.map((item) => ({
    ...item,
    sourceId: `wiki/${item.sourceId}`,
    async read(known, aborted) {
      const reading = await item.read(known, aborted);
      if (reading.kind !== "content") return reading;
      const name = (item.sourceId.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
      return {
        ...reading,
        title: name.replaceAll("-", " "),
        sourceUrl: `${page}/${encodeURIComponent(name)}`,
      };
    },
  }));
}

async function defaultBranch(
  options: Pick<GitHubWikiOptions, "label" | "project"> & {
    readonly url: string;
    readonly gitSettings: readonly (readonly [string, string])[];
  },
  signal: AbortSignal,
): Promise<string> {
  const { url, gitSettings: settings } = options;
  const args = ["ls-remote", "--symref", "--", url, "HEAD"];
  const network = { cwd: OUTSIDE, network: true, signal, timeoutMs: DEADLINE_MS, settings };
  const { code, stdout, stderr } = await runGit(args, network);
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout.toString("utf8"))?.[1];
  if (code === 0) return branch ?? "master";
  throw new DomainError("unavailable", gitErrorOf(stderr, remoteOf({ ...options, branch: "master" })));
}
