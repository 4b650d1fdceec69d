/** Forges and how each links to a file at a commit, and to a commit. */
const FORGES = [
  { host: /(^|\.)github\.[a-z.]+$/, file: "blob", commit: "commit" },
  { host: /(^|\.)gitlab\.[a-z.]+$/, file: "-/blob", commit: "-/commit" },
  { host: /(^|\.)bitbucket\.[a-z.]+$/, file: "src", commit: "commits" },
] as const;

/** The web page of a file at a commit; for unknown hosts a `git://` address of repository and path. */
export function fileLink(repository: string, commit: string, path: string): string {
  const url = withoutCredentials(repository);
  const place = forgeOf(url);
  const file = path.split("/").map(encodeURIComponent).join("/");
  return place ? `${place.page}/${place.forge.file}/${commit}/${file}` : `git://${url}/${file}`;
}

/** The web page of a commit; `null` for unknown hosts. */
export function commitLink(repository: string, commit: string): string | null {
  const place = forgeOf(withoutCredentials(repository));
  return place ? `${place.page}/${place.forge.commit}/${commit}` : null;
}

function forgeOf(url: string) {
  const place = hostAndPath(url);
  const forge = FORGES.find(({ host }) => place !== undefined && host.test(place.host));
  return place && forge && { page: `https://${place.host}/${place.path}`, forge };
}

/** `git@host:owner/name.git`, `ssh://…` and `https://…` alike. */
function hostAndPath(url: string): { host: string; path: string } | undefined {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const full = /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^:/]+)(?::\d+)?\/(.+)$/.exec(url);
  const [, host, path] = full ?? scp ?? [];
  if (host === undefined || path === undefined) return undefined;
  return { host: host.toLowerCase(), path: path.replace(/\/+$/, "").replace(/\.git$/, "") };
}

/** A password or token in an address is only for git. */
export const withoutCredentials = (url: string): string =>
  url.replace(/^([a-z+]+:\/\/)([^@/]+)@/i, (whole, scheme: string, user: string) =>
    user.includes(":") || scheme.startsWith("http") ? scheme : whole,
  );
