import { globFilter } from "../../../core/scan/glob.ts";

/** Directories without documents of the project. */
const NEVER_ENTERED = new Set([".git", "node_modules", "target"]);
/** Files that usually hold secrets. */
const SECRET_FILE =
  /^(\.env(\..*)?|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|credentials(\.json)?|id_(rsa|dsa|ecdsa|ed25519)(\.pub)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx))$/i;

/** Names that no glob can include. */
export const isNeverRead = (name: string, isDirectory: boolean): boolean =>
  isDirectory ? NEVER_ENTERED.has(name) : SECRET_FILE.test(name);

/** Whether a path is a document. An invalid glob is `invalid_input`. */
export function pathMatcher({
  include,
  exclude,
}: {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}): (path: string) => boolean {
  const isWanted = globFilter(include, exclude);
  return (path) => {
    const names = path.split("/");
    if (names.some((name, index) => isNeverRead(name, index < names.length - 1))) return false;
    return isWanted(path);
  };
}
