import { setImmediate as breathe } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import { headStamp } from "../../../core/git/head-stamp.ts";
import { CONTEXT_FILE } from "../schema.ts";
import {
  findWritings,
  type GitPlace,
  ignoredAmong,
  type Repository,
  repositoryAt,
  type WrittenContext,
} from "./content-history.ts";
import { listDirectory } from "./fingerprint.ts";
import { readTrees, type Tree } from "./git-objects.ts";
import { openFileComparison } from "./unchanged-file.ts";

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

/** What is known of one state of a repository: it never changes, so it is kept until the head moves. */
interface Memory {
  /** While it stays the head does. */
  readonly stamp: string | undefined;
  readonly repository: Repository;
  /** The commit that wrote a context, "" where there is none; by the context's fingerprint and path. */
  readonly writings: Map<string, string>;
  readonly trees: Map<string, Tree>;
}

/** Remembers files by stat, and commits and trees by head, so that asking again costs little. */
export function openContentComparison(): ContentComparison {
  const isUnchanged = openFileComparison();
  const memories = new Map<string, Memory>();

  const memoryOf = async (git: GitPlace): Promise<Memory | undefined> => {
    const known = memories.get(git.cwd);
    const stamp = headStamp(git.cwd);
    if (known && stamp !== undefined && known.stamp === stamp) return known;
    const repository = await told(repositoryAt(git));
    if (repository === undefined) return undefined;
    // A clone that was cut short may have become deeper under the same head.
    const isSame = known?.repository.isShallow === false && known.repository.head === repository.head;
    const memory: Memory = isSame
      ? { ...known, stamp, repository }
      : { stamp, repository, writings: new Map(), trees: new Map() };
    memories.set(git.cwd, memory);
    return memory;
  };

  return {
    async compare(root, asked, signal) {
      const git = { cwd: root, signal };
      const memory = asked.length === 0 ? undefined : await memoryOf(git);
      if (memory === undefined) return new Map();
      const contexts = asked.map((context) => ({ ...context, file: pathIn(context.scope, CONTEXT_FILE) }));
      const commits = await commitsOf(memory, contexts, git);
      const differences: Difference[] = [];
      for (const described of await treesOf(memory, commits, git)) {
        // After a clone every file of the project is read here.
        await breathe();
        signal.throwIfAborted();
        differences.push(differenceOf(root, described, isUnchanged));
      }
      const added = differences.flatMap((each) => (each.isChanged ? [] : each.added));
      const ignored = await ignoredAmong(added, git);
      return new Map(
        differences.map(({ scope, isChanged, added }) => [
          scope,
          isChanged || added.some((path) => !ignored.has(path)),
        ]),
      );
    },
  };
}

/** Where git is missing, too slow or says too much it cannot tell, which is no reason to answer nothing at all. */
async function told<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "unavailable") return undefined;
    throw thrown;
  }
}

interface Commit {
  readonly scope: string;
  readonly commit: string;
}

/** The commit that wrote each context, where there is one. */
async function commitsOf(
  { repository, writings }: Memory,
  contexts: readonly WrittenContext[],
  git: GitPlace,
): Promise<readonly Commit[]> {
  const keyOf = ({ file, fingerprint }: WrittenContext) => `${fingerprint} ${file}`;
  const unknown = contexts.filter((context) => !writings.has(keyOf(context)));
  if (unknown.length > 0) {
    const found = await told(findWritings(repository, unknown, git));
    for (const context of unknown) writings.set(keyOf(context), found?.get(context.scope) ?? "");
  }
  return contexts
    .map((context) => ({ scope: context.scope, commit: writings.get(keyOf(context)) ?? "" }))
    .filter(({ commit }) => commit !== "");
}

interface DescribedFiles {
  readonly scope: string;
  readonly tree: Tree;
}

async function treesOf(
  { trees }: Memory,
  commits: readonly Commit[],
  git: GitPlace,
): Promise<readonly DescribedFiles[]> {
  const keyOf = ({ scope, commit }: Commit) => `${commit} ${scope}`;
  const unknown = commits.filter((each) => !trees.has(keyOf(each)));
  const read = await readTrees(new Map(unknown.map(({ scope, commit }) => [scope, commit])), git);
  for (const each of unknown) {
    const tree = read.get(each.scope);
    if (tree !== undefined) trees.set(keyOf(each), tree);
  }
  return commits.flatMap((each) => {
    const tree = trees.get(keyOf(each));
    return tree === undefined ? [] : [{ scope: each.scope, tree }];
  });
}

interface Difference {
  readonly scope: string;
  /** Files differ or are gone. */
  readonly isChanged: boolean;
  /** Files that are new, by path. */
  readonly added: readonly string[];
}

/** The directory on disk against a tree. */
function differenceOf(
  root: string,
  { scope, tree }: DescribedFiles,
  isUnchanged: (file: string, blob: string) => boolean,
): Difference {
  const names = new Set(listDirectory(`${root}/${scope}`)?.files.map(({ name }) => name));
  const added = [...names].filter((name) => !tree.has(name)).map((name) => pathIn(scope, name));
  const isChanged = [...tree].some(
    ([name, blob]) =>
      name !== CONTEXT_FILE && !(names.has(name) && isUnchanged(`${root}/${pathIn(scope, name)}`, blob)),
  );
  return { scope, isChanged, added };
}

const pathIn = (scope: string, name: string) => (scope === "." ? name : `${scope}/${name}`);
