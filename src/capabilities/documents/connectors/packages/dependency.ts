import { existsSync } from "node:fs";

/** A package that a manifest of the project names. */
export interface Dependency {
  readonly name: string;
  /** The version that the lock file or the manifest fixes. A lock file may be large: it is read only if this is called. */
  locked(): Promise<string | undefined>;
  /** Where its files may be: `inside` a directory that must contain them, also after links are followed. */
  readonly places: readonly { readonly directory: string; readonly inside: string }[];
}

export const isInstalled = ({ places }: Dependency): boolean =>
  places.some(({ directory }) => existsSync(directory));

/** A kind of package manager: which dependencies a directory declares. Missing or broken manifests declare none. */
export type ReadDependencies = (
  root: string,
  env: Readonly<Record<string, string | undefined>>,
) => Promise<readonly Dependency[]>;

/** The words by which a question may name a package: all of its name, and the part that people say. */
function spokenNames(name: string): string[] {
  const lower = name.toLowerCase();
  const parts = lower.split("/").filter((part) => !/^v\d+$/.test(part));
  const last = parts.at(-1) ?? lower;
  return [lower, last];
}

/** `next.js` is `next` to some, and the other way round. */
const withoutSuffix = (word: string) => word.replace(/[.-]js$/, "");

/** The packages whose names are words of the text, also with `'s` or in quotes. */
export function packagesNamedIn(text: string, names: readonly string[]): string[] {
  const words = new Set(
    text
      .toLowerCase()
      .split(/[\s"'`,;:!?()[\]{}]+/)
      .map((word) => withoutSuffix(word.replace(/[./-]+$/, ""))),
  );
  return names.filter((name) => spokenNames(name).some((spoken) => words.has(withoutSuffix(spoken))));
}
