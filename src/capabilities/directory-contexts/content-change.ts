import { readFileSync } from "node:fs";
import { headStamp } from "../../core/git/head-stamp.ts";
import {
  findWritings,
  ignoredAmong,
  type Repository,
  repositoryAt,
  type WrittenContext,
} from "./content-history.ts";
import { listDirectory, statOf } from "./fingerprint.ts";
import { readTrees, type Tree } from "./git-objects.ts";
import { CONTEXT_FILE } from "./schema.ts";
import { isStoredAs } from "./stored-form.ts";

export interface ContentComparison {
  /**
   * For each scope: whether the directory's own files differ from those in the commit that gave its context the
   * fingerprint it has. A scope is absent where git cannot tell: no repository, or a fingerprint never committed.
   */
  compare(
    root: string,
    contexts: readonly { readonly scope: string; readonly fingerprint: string }[],
    signal: AbortSignal,
  ): Promise<Map<string, boolean>>;
}

/** Larger files are taken as changed when their size is all we know; hashing them would stall a list. */
const MAX_HASHED = 200_000_000;

/** What is known of one state of a repository: it never changes, so it is kept until the head moves. */
interface Memory {
  /** While it stays the head does. */
  readonly stamp: string | undefined;
  readonly repository: Repository;
  /** The commit that wrote a context, "" where there is none; by the context's fingerprint and path. */
  readonly writings: Map<string, string>;
  readonly trees: Map<string, Tree>;
}

/** Remembers by stat whether a file is a blob, and commits and trees by head, so that asking again costs little. */
export function openContentComparison(): ContentComparison {
  const verdicts = new Map<string, { readonly key: string; readonly isBlob: boolean }>();
  const memories = new Map<string, Memory>();

  const isBlob = (file: string, blob: string): boolean => {
    const stat = statOf(file);
    if (!stat?.isFile() || stat.size > MAX_HASHED) return false;
    const key = `${stat.mtimeMs}:${stat.ctimeMs}:${stat.size}:${stat.ino}:${blob}`;
    const known = verdicts.get(file);
    if (known?.key === key) return known.isBlob;
    const content = contentOf(file);
    const verdict = { key, isBlob: content !== undefined && isStoredAs(content, blob) };
    verdicts.set(file, verdict);
    return verdict.isBlob;
  };

  const memoryOf = async (root: string, signal: AbortSignal): Promise<Memory | undefined> => {
    const known = memories.get(root);
    const stamp = headStamp(root);
    if (known && stamp !== undefined && known.stamp === stamp) return known;
    const repository = await repositoryAt(root, signal);
    if (repository === undefined) return undefined;
    const isSame = known?.repository.head === repository.head;
    const memory: Memory = isSame
      ? { ...known, stamp }
      : { stamp, repository, writings: new Map(), trees: new Map() };
    memories.set(root, memory);
    return memory;
  };

  return {
    async compare(root, asked, signal) {
      const memory = asked.length === 0 ? undefined : await memoryOf(root, signal);
      if (memory === undefined) return new Map();
      const contexts = asked.map(({ scope, fingerprint }) => ({
        scope,
        file: pathIn(scope, CONTEXT_FILE),
        fingerprint,
      }));
      const commits = await commitsOf(root, memory, contexts, signal);
      const differences = (await treesOf(root, memory, commits, signal)).map(([scope, tree]) => ({
        scope,
        ...difference(root, scope, tree, isBlob),
      }));
      const added = differences.flatMap(({ isChanged, added }) => (isChanged ? [] : added));
      const ignored = await ignoredAmong(root, added, signal);
      return new Map(
        differences.map(({ scope, isChanged, added }) => [
          scope,
          isChanged || added.some((path) => !ignored.has(path)),
        ]),
      );
    },
  };
}

/** The commit that wrote each context, where there is one: by scope. */
async function commitsOf(
  root: string,
  { repository, writings }: Memory,
  contexts: readonly WrittenContext[],
  signal: AbortSignal,
): Promise<(readonly [scope: string, commit: string])[]> {
  const keyOf = ({ file, fingerprint }: WrittenContext) => `${fingerprint} ${file}`;
  const unknown = contexts.filter((context) => !writings.has(keyOf(context)));
  if (unknown.length > 0) {
    const found = await findWritings(root, repository, unknown, signal);
    for (const context of unknown) writings.set(keyOf(context), found.get(context.scope) ?? "");
  }
  return contexts
    .map((context) => [context.scope, writings.get(keyOf(context)) ?? ""] as const)
    .filter(([, commit]) => commit !== "");
}

async function treesOf(
  root: string,
  { trees }: Memory,
  commits: readonly (readonly [scope: string, commit: string])[],
  signal: AbortSignal,
): Promise<(readonly [scope: string, tree: Tree])[]> {
  const keyOf = (scope: string, commit: string) => `${commit} ${scope}`;
  const unknown = commits.filter(([scope, commit]) => !trees.has(keyOf(scope, commit)));
  const read = await readTrees(root, new Map(unknown), signal);
  for (const [scope, commit] of unknown) {
    const tree = read.get(scope);
    if (tree !== undefined) trees.set(keyOf(scope, commit), tree);
  }
  return commits.flatMap(([scope, commit]) => {
    const tree = trees.get(keyOf(scope, commit));
    return tree === undefined ? [] : [[scope, tree] as const];
  });
}

/** The directory on disk against a tree: files that differ or are gone, and files that are new. */
function difference(
  root: string,
  scope: string,
  tree: Tree,
  isBlob: (file: string, blob: string) => boolean,
): { readonly isChanged: boolean; readonly added: readonly string[] } {
  const names = new Set(listDirectory(`${root}/${scope}`)?.files.map(({ name }) => name));
  const added = [...names].filter((name) => !tree.has(name)).map((name) => pathIn(scope, name));
  for (const [name, blob] of tree) {
    if (name === CONTEXT_FILE) continue;
    if (!names.has(name) || !isBlob(`${root}/${pathIn(scope, name)}`, blob)) {
      return { isChanged: true, added };
    }
  }
  return { isChanged: false, added };
}

const pathIn = (scope: string, name: string) => (scope === "." ? name : `${scope}/${name}`);

/** A file that may not be read cannot be said to be unchanged. */
function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
