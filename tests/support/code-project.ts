import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openCodeRoom } from "../../src/app/code-room.ts";
import { IndexOutput, SearchOutput, StatusOutput } from "../../src/capabilities/code-index/schemas.ts";
import { projectAt } from "../../src/capabilities/code-index/store/project.ts";
import { Config } from "../../src/core/config/config.ts";
import type { Machine } from "../../src/core/machine.ts";
import { type Call, commandsOf, invoke, invokeView } from "../../src/core/tool.ts";
import { testCall, testMachine } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

/** A project with these files and keyword search only, so that no test waits for a model. */
export function openProject(
  files: Readonly<Record<string, string | Uint8Array>>,
  overrides: Partial<Machine> = {},
) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(root);
  for (const [path, content] of Object.entries(files)) write(path, content);
  const machine = testMachine(root, {
    config: async () => Config.parse({ embedding: { provider: "disabled" } }),
    ...overrides,
  });
  const room = openCodeRoom(machine);
  const toolOf = (name: string) => {
    const tool = room.tools.find((known) => known.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  const run = async (name: string, input: Record<string, unknown>, call: Partial<Call> = {}) =>
    invoke(toolOf(name), { path: root, ...input }, testCall(call));
  /** Runs a command, by its words after `code`, as the command line does. */
  const command = (words: string, form: Record<string, unknown>) => {
    const tool = room.tools.find((known) => commandsOf(known).some((one) => one.words === words));
    const view = tool && commandsOf(tool).find((one) => one.words === words);
    if (!view) throw new Error(`no command ${words}`);
    const call = testCall({ caller: "person" });
    return invokeView({ tool, view, context: { root } }, { path: root, ...form }, call);
  };
  return {
    root,
    room,
    machine,
    write,
    run,
    command,
    shown: async (words: string, form: Record<string, unknown>) => (await command(words, form)).show(),
    data: projectAt(machine, root),
    index: async (input: Record<string, unknown> = {}, call: Partial<Call> = {}) =>
      IndexOutput.parse(await run("index_codebase", input, call)),
    search: async (query: string, input: Record<string, unknown> = {}) =>
      SearchOutput.parse(await run("search_code", { query, search_mode: "keyword", ...input })),
    status: async () => StatusOutput.parse(await run("get_status", {})),
    git: (...args: string[]) => execFileSync("git", args, { cwd: root }),
    async [Symbol.asyncDispose]() {
      await room.close();
      directory[Symbol.dispose]();
    },
  };
}

/** A Go file with one function. */
export const source = (name: string) => `package p\n\n// ${name} does it.\nfunc ${name}() {}\n`;
