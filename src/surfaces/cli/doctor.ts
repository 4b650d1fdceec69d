import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App, Finding } from "../../core/offer.ts";
import { sqliteDriver } from "../../core/store/store.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import { ROOMS } from "../../core/tool.ts";
import { FAILURE, OK } from "./exit-codes.ts";
import type { World } from "./world.ts";

/** Says what works here and what does not, and what the tool list costs a model. */
export async function doctor(world: World, app: App, isJson: boolean): Promise<number> {
  const findings = [
    { name: "node", state: "ok", detail: `${process.version} on ${process.platform}` } as const,
    await sqlite(),
    await git(world),
    ...models(),
    dataDirectory(app.machine.home),
    ...(await rooms(app)),
  ];
  const sizes = await toolListSizes(world, app);
  if (isJson)
    world.out(`${JSON.stringify({ version: world.version, findings, tool_list: sizes }, null, 2)}\n`);
  else world.out(report(findings, sizes));
  return findings.some(({ state }) => state === "problem") ? FAILURE : OK;
}

interface Size {
  readonly profile: string;
  readonly tools: number;
  readonly tokens: number;
}

function report(findings: readonly Finding[], sizes: readonly Size[]): string {
  const MARK = { ok: "ok     ", note: "note   ", problem: "PROBLEM" } as const;
  const lines = findings.map(
    ({ name, state, detail }) => `${MARK[state]}  ${name.padEnd(18)} ${escapeControl(detail)}`,
  );
  const table = sizes.map(
    ({ profile, tools, tokens }) =>
      `  ${profile.padEnd(20)} ${String(tools).padStart(3)} ${(tools === 1 ? "tool" : "tools").padEnd(5)} ${String(tokens).padStart(6)} tokens`,
  );
  return `${lines.join("\n")}\n\nTool definitions, as a model reads them:\n${table.join("\n")}\n`;
}

async function sqlite(): Promise<Finding> {
  try {
    return { name: "sqlite", state: "ok", detail: (await sqliteDriver()).name };
  } catch (thrown) {
    return {
      name: "sqlite",
      state: "problem",
      detail: thrown instanceof Error ? thrown.message : "does not load",
    };
  }
}

async function git(world: World): Promise<Finding> {
  try {
    const { askGit } = await import("../../core/git/git.ts");
    const version = await askGit(["--version"], { cwd: world.cwd });
    if (version !== undefined) return { name: "git", state: "ok", detail: version.trim() };
  } catch {
    // Not on the PATH, or only where a project put it.
  }
  return {
    name: "git",
    state: "problem",
    detail: "not found; install it: ignore rules, history and team memory need it",
  };
}

/** Built, chunks lie in dist/; from source this file lies three folders down. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function models(): readonly Finding[] {
  const root = packageRoot();
  const hasModel = existsSync(join(root, "models"));
  return [
    hasModel
      ? { name: "model files", state: "ok", detail: "present" }
      : {
          name: "model files",
          state: "problem",
          detail: "missing: search by meaning is off; reinstall contextful",
        },
    canResolve("onnxruntime-node", root)
      ? {
          name: "model runtime",
          state: "ok",
          detail: "onnxruntime-node: MiniLM vectors follow in the background",
        }
      : {
          name: "model runtime",
          state: "note",
          detail:
            "onnxruntime-node is not installed: static vectors serve; npm install onnxruntime-node for better ones",
        },
  ];
}

function canResolve(name: string, from: string): boolean {
  try {
    createRequire(join(from, "package.json")).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function dataDirectory(home: string): Finding {
  if (!existsSync(home))
    return { name: "data directory", state: "note", detail: `${home} (made on first write)` };
  try {
    accessSync(home, constants.W_OK);
    return { name: "data directory", state: "ok", detail: home };
  } catch {
    return { name: "data directory", state: "problem", detail: `${home} cannot be written` };
  }
}

async function rooms(app: App): Promise<readonly Finding[]> {
  try {
    return await app.doctor();
  } catch (thrown) {
    return [
      { name: "rooms", state: "problem", detail: thrown instanceof Error ? thrown.message : String(thrown) },
    ];
  }
}

async function toolListSizes(world: World, app: App): Promise<readonly Size[]> {
  const count = await loadTokenizer();
  const sizes: Size[] = [];
  for (const profile of ["all", "lean", ...ROOMS]) {
    const tools = await world.services.toolDefinitions(app, profile);
    if (tools.length > 0) sizes.push({ profile, tools: tools.length, tokens: count(JSON.stringify(tools)) });
  }
  return sizes;
}
