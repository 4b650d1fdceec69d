import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp, openMachine } from "../../src/app.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { silentProgress } from "../../src/core/progress.ts";
import { type Call, invoke } from "../../src/core/tool.ts";
import { writeSurroundings } from "./surroundings/write-surroundings.ts";

export interface EvalProject extends AsyncDisposable {
  readonly root: string;
  /** Calls a tool of the real app. */
  call(name: string, input: unknown): Promise<unknown>;
}

const quiet: Call = {
  signal: new AbortController().signal,
  progress: silentProgress,
  actor: "eval",
  caller: "person",
};

/** The fixture with the rest of its project, in its own repository, indexed and synced. */
export async function openEvalProject(fixture: string): Promise<EvalProject> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "contextful-eval-")));
  const root = join(directory, "project");
  cpSync(fixture, root, { recursive: true });
  writeSurroundings(root);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=eval", "-c", "user.email=eval@example.org", "commit", "-qm", "start");
  const machine = openMachine({
    root,
    env: { ...process.env, CONTEXTFUL_HOME: join(directory, "home") },
    logger: silentLogger,
  });
  const app = openApp(machine);
  const call = async (name: string, input: unknown) => {
    const tool = app.tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return invoke(tool, input, quiet);
  };
  await call("directories_rehash", {});
  await call("index_codebase", { path: root });
  await call("documents_sync", {});
  return {
    root,
    call,
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
