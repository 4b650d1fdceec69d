import { globFilter } from "../../../core/scan/glob.ts";

/** Directories that hold no documents of the project's own. */
const NEVER_ENTERED = new Set([".git", "node_modules", "target"]);
/** Files made to hold secrets. */
const SECRET_FILE =
  /^(\.env(\..*)?|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|credentials(\.json)?|id_(rsa|dsa|ecdsa|ed25519)(\.pub)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx))$/i;

/** What no glob can bring in, by one name of a path. */
export const isNeverRead = (name: string, isDirectory: boolean): boolean =>
  isDirectory ? NEVER_ENTERED.has(name) : SECRET_FILE.test(name);

/** Whether a path is one of the documents. A glob that cannot be read is `invalid_input`. */
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
