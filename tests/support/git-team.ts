import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "./temp-dir.ts";

export interface Clone {
  readonly path: string;
  /** Runs plain git here, as a person would. */
  git(...args: string[]): string;
  write(file: string, text: string): void;
  read(file: string): string | undefined;
  remove(file: string): void;
}

export interface Team extends Disposable {
  readonly remote: Clone;
  readonly clones: readonly Clone[];
  /** Data directory of the programs under test. */
  readonly home: string;
  /** A copy of the team in another directory, so that many tests can share one setup. */
  copy(): Team;
}

/** A bare remote with one commit, and clones of it on disk. */
export function makeTeam(members: number): Team {
  const directory = tempDir();
  const team = openTeam(directory, members);
  const { remote } = team;
  mkdirSync(remote.path);
  // Without a template: it would add sample hooks to every copy.
  remote.git("init", "-q", "--bare", "-b", "main", "--template=");
  for (const [index, clone] of team.clones.entries()) {
    mkdirSync(clone.path);
    clone.git("clone", "-q", "--template=", "../remote.git", ".");
    // Relative, so that a copied team uses the copied remote.
    clone.git("config", "remote.origin.url", "../remote.git");
    clone.git("config", "user.name", `Member ${index}`);
    clone.git("config", "user.email", `member-${index}@example.org`);
    if (index > 0) continue;
    clone.git("checkout", "-q", "-b", "main");
    clone.write("code.txt", "one\ntwo\nthree\n");
    clone.git("add", ".");
    clone.git("commit", "-q", "-m", "start");
    clone.git("push", "-q", "-u", "origin", "main");
  }
  return team;
}

function openTeam(directory: ReturnType<typeof tempDir>, members: number): Team {
  const remote = openClone(join(directory.path, "remote.git"));
  const clones = Array.from({ length: members }, (_, index) =>
    openClone(join(directory.path, `clone-${index}`)),
  );
  return {
    remote,
    clones,
    home: join(directory.path, "home"),
    copy() {
      const target = tempDir();
      cpSync(directory.path, target.path, { recursive: true });
      return openTeam(target, members);
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

export function openClone(path: string): Clone {
  return {
    path,
    git: (...args) =>
      execFileSync("git", args, { cwd: path, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    write(file, text) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    },
    read(file) {
      try {
        return readFileSync(join(path, file), "utf8");
      } catch {
        return undefined;
      }
    },
    remove: (file) => rmSync(join(path, file), { recursive: true, force: true }),
  };
}
