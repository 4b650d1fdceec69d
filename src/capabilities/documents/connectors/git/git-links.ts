/** Forges and how each links to a file at a commit. */
const FORGES = [
  { host: /(^|\.)github\.[a-z.]+$/, path: "blob" },
  { host: /(^|\.)gitlab\.[a-z.]+$/, path: "-/blob" },
  { host: /(^|\.)bitbucket\.[a-z.]+$/, path: "src" },
] as const;

/** The web page of a file at a commit; for unknown hosts a `git://` address of repository and path. */
export function fileLink(repository: string, commit: string, path: string): string {
  const url = withoutCredentials(repository);
  const place = hostAndPath(url);
  const forge = FORGES.find(({ host }) => place !== undefined && host.test(place.host));
  const file = path.split("/").map(encodeURIComponent).join("/");
  if (place === undefined || forge === undefined) return `git://${url}/${file}`;
  return `https://${place.host}/${place.path}/${forge.path}/${commit}/${file}`;
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
