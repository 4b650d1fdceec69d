import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempDir } from "./temp-dir.ts";

export interface GitRemoteRepository extends Disposable {
  /** What `git clone` takes. */
  readonly url: string;
  /** Writes files (`undefined`: removes them), commits and pushes; returns the commit. */
  push(files: Readonly<Record<string, string | undefined>>, branch?: string): string;
  git(...args: string[]): string;
}

/**
 * A bare repository, and a clone that pushes to it. Its commits name the repository: two with the same files, made in the same
 * second, would otherwise have the same first commit and be taken for forks.
 */
export function makeRemote(name: string, files: Readonly<Record<string, string>>): GitRemoteRepository {
  const directory = tempDir();
  const [bare, clone] = [join(directory.path, `${name}.git`), join(directory.path, "clone")];
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", `user.name=${name}`, "-c", `user.email=${name}@example.org`, ...args], {
      cwd: clone,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  mkdirSync(bare);
  mkdirSync(clone);
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", "--template=", bare]);
  git("init", "-q", "-b", "main", "--template=");
  git("remote", "add", "origin", bare);
  const push: GitRemoteRepository["push"] = (changed, branch = "main") => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      if (text === undefined) rmSync(join(clone, path));
      else writeFileSync(join(clone, path), text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", Object.keys(changed).join(" ") || "files");
    git("push", "-q", "origin", `HEAD:refs/heads/${branch}`);
    return git("rev-parse", "HEAD");
  };
  push(files);
  return { url: `file://${bare}`, push, git, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}
