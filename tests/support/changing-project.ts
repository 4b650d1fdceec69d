import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { builtBinary } from "./dist.ts";
import { startClient } from "./stdio-client.ts";

const SearchAnswer = z.object({
  structuredContent: z.object({
    results: z.array(
      z.object({ symbol: z.object({ name: z.string() }), file: z.object({ path: z.string() }) }),
    ),
    statistics: z.object({ files_changed: z.int() }),
  }),
});
interface WrongAnswer {
  readonly round: number;
  readonly change: string;
  readonly client: number;
  readonly name: string;
  readonly found: readonly string[];
  readonly onDisk: string | undefined;
}
interface FreshnessRun {
  /** Answers that claim to be up to date and are not. */
  readonly wrong: readonly WrongAnswer[];
  readonly fresh: number;
  readonly behind: number;
}

const DIRECTORIES = ["", "api", "api/v1", "store", "store/sql", "web"];

/** Numbers that repeat with the seed, from 0 to below `limit`. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A git work tree of Go files with one function each, and changes that people make to such a tree. */
export class ChangingProject {
  readonly root: string;
  readonly #random: (limit: number) => number;
  /** Every name that was ever given to a function. */
  readonly #names: string[] = [];

  constructor(root: string, seed: number, files: number) {
    this.root = root;
    this.#random = randomNumbers(seed);
    mkdirSync(root, { recursive: true });
    this.#write("contextful.toml", '[embedding]\nprovider = "disabled"\n');
    this.#write(".gitignore", "*.log\n");
    for (let at = 0; at < files; at++) this.#add();
    this.#git("init", "-q", "-b", "main");
    this.#commit();
    for (const branch of ["one", "two"]) {
      this.#git("checkout", "-qb", branch);
      for (let at = 0; at < files / 2; at++) this.#edit();
      this.#commit();
    }
  }

  /** Makes one change, and tells which. */
  change(): string {
    const changes = {
      edit: () => this.#edit(),
      add: () => this.#add(),
      remove: () => rmSync(join(this.root, this.#anyFile())),
      rename: () => this.#move(this.#anyFile()),
      "rename a directory": () => this.#moveDirectory(),
      "switch branches": () => this.#switchBranch(),
      stash: () => this.#git("stash", "-q", "-u"),
      "restore a stash": () => this.#restoreStash(),
      commit: () => this.#commit(),
      "write an ignored file": () => this.#write("noise.log", String(this.#random(1e9))),
    };
    const all = Object.entries(changes);
    const [name, make] = all[this.#random(all.length)] ?? ["edit", changes.edit];
    make();
    if (this.files().size < 20) for (let at = 0; at < 10; at++) this.#add();
    return name;
  }

  /** The functions on the disk now, with their files. */
  files(): Map<string, string> {
    const functions = new Map<string, string>();
    for (const path of readdirSync(this.root, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".go") || path.startsWith(".git/")) continue;
      const name = /^func (\w+)/m.exec(readFileSync(join(this.root, path), "utf8"))?.[1];
      if (name !== undefined) functions.set(name, path);
    }
    return functions;
  }

  /** Some names to look for, of functions that are there or that were; the newest are the most likely. */
  someNames(count: number): string[] {
    const newest = this.#names.slice(-5);
    return Array.from({ length: count }, (_, at) => {
      const from = at === 0 ? newest : this.#names;
      return from[this.#random(from.length)] ?? "";
    });
  }

  #add(): void {
    const directory = DIRECTORIES[this.#random(DIRECTORIES.length)] ?? "";
    const inside = this.#random(4) === 0 ? join(directory, `new${this.#names.length}`) : directory;
    this.#writeFunction(join(inside, `file${this.#names.length}.go`));
  }

  #edit(): void {
    this.#writeFunction(this.#anyFile());
  }

  #writeFunction(path: string): void {
    const name = `Handle${this.#names.length}`;
    this.#names.push(name);
    this.#write(path, `package p\n\n// ${name} answers.\nfunc ${name}() {}\n`);
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  #anyFile(): string {
    const paths = [...this.files().values()].sort();
    return paths[this.#random(paths.length)] ?? "";
  }

  #move(path: string): void {
    renameSync(join(this.root, path), join(this.root, dirname(path), `moved${this.#random(1e9)}.go`));
  }

  #moveDirectory(): void {
    const directory = DIRECTORIES[1 + this.#random(DIRECTORIES.length - 1)] ?? "web";
    if (existsSync(join(this.root, directory)))
      renameSync(join(this.root, directory), join(this.root, `${directory}-${this.#random(1e9)}`));
  }

  #switchBranch(): void {
    this.#commit();
    this.#git("checkout", "-q", ["main", "one", "two"][this.#random(3)] ?? "main");
  }

  #restoreStash(): void {
    this.#commit();
    if (this.#git("stash", "list") === "") return;
    try {
      this.#git("stash", "pop", "-q");
    } catch {
      // A conflict: give up the stash.
      this.#git("reset", "-q", "--hard");
      this.#git("clean", "-qfd");
      this.#git("stash", "drop", "-q");
    }
  }

  #commit(): void {
    this.#git("add", "-A");
    this.#git("commit", "-q", "--allow-empty", "-m", "change");
  }

  #git(...args: string[]): string {
    const person = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0"];
    return execFileSync("git", [...person, ...args], { cwd: this.root, encoding: "utf8", stdio: "pipe" });
  }
}

interface FreshnessTest {
  readonly home: string;
  readonly project: ChangingProject;
  readonly rounds: number;
  readonly clients: number;
  /** Every so many rounds the process of the first client is killed and replaced. */
  readonly killEvery?: number;
}

/** Changes a project while several server processes search it, and checks every answer against the disk. */
export async function searchWhileChanging(test: FreshnessTest): Promise<FreshnessRun> {
  const binary = await builtBinary();
  const start = () => startServer(binary, test);
  const servers = await Promise.all(Array.from({ length: test.clients }, start));
  const wrong: WrongAnswer[] = [];
  let fresh = 0;
  let behind = 0;
  try {
    // The contract's error starts the first index.
    while ((await servers[0]?.search("Handle0")) === undefined);
    for (let round = 0; round < test.rounds; round++) {
      const during = Promise.all(servers.map(({ search }) => search("Handle0")));
      const change = test.project.change();
      const onDisk = test.project.files();
      const ask = async ({ search }: Server, client: number) => {
        for (const name of test.project.someNames(2)) {
          const found = await search(name);
          if (found === undefined) behind++;
          else fresh++;
          const wanted = onDisk.get(name);
          if (found !== undefined && found.join() !== (wanted ?? ""))
            wrong.push({ round, change, client, name, found, onDisk: wanted });
        }
      };
      await Promise.all(servers.map(ask));
      await during;
      if (test.killEvery && round % test.killEvery === test.killEvery - 1) {
        await servers[0]?.kill();
        servers[0] = await start();
      }
    }
  } finally {
    await Promise.all(servers.map(({ kill }) => kill()));
  }
  return { wrong, fresh, behind };
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function startServer(binary: string, { home, project: { root } }: FreshnessTest) {
  const client = startClient(binary, { cwd: root, env: { CONTEXTFUL_HOME: home } });
  await client.initialize();
  return {
    /** The files of the functions of this name; `undefined` if the answer says that it is behind or not indexed. */
    async search(name: string): Promise<readonly string[] | undefined> {
      const input = { path: root, query: name, search_mode: "keyword", limit: 5 };
      const { result, error } = await client.callTool("search_code", input);
      if (error) return undefined;
      const { results, statistics } = SearchAnswer.parse(result).structuredContent;
      const found = results.filter(({ symbol }) => symbol.name === name).map(({ file }) => file.path);
      return statistics.files_changed > 0 ? undefined : found;
    },
    kill: () => client[Symbol.asyncDispose](),
  };
}
