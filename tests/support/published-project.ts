import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRooms } from "../../src/app/team-projects/index.ts";
import { openApp } from "../../src/app.ts";
import { Config } from "../../src/core/config/config.ts";
import { openReplica } from "../../src/core/replica/open-replica.ts";
import { invoke, invokeView } from "../../src/core/tool.ts";
import { findTool } from "../../src/surfaces/mcp/profiles.ts";
import { testCall, testMachine } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

type PublishedProject = Awaited<ReturnType<typeof publishedProject>>;

export type { PublishedProject };

/** A repository that a worker publishes to a directory and another node follows, and the app over the same work tree. */
export async function publishedProject(files: Readonly<Record<string, string>>) {
  const directory = tempDir();
  const at = (name: string) => join(directory.path, name);
  const root = at("tree");
  for (const name of ["tree", "store"]) mkdirSync(at(name));
  const machineAt = (name: string, place = at(name)) =>
    testMachine(place, {
      home: at(`${name}-home`),
      config: async () => Config.parse({ embedding: { provider: "static" } }),
    });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...args], { cwd: root });
  const commit = (changed: Readonly<Record<string, string | undefined>>) => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (text === undefined) rmSync(join(root, path));
      else writeFileSync(join(root, path), text);
    }
    git("add", "-A", "-f");
    git("commit", "-q", "-m", "files");
  };
  git("init", "-q", "-b", "main", "--template=");
  commit(files);
  const replica = await openReplica(at("store"));
  const publisher = projectRooms(machineAt("worker")).publisher(at("store"));
  const publish = async () =>
    (await publisher.publish(root, replica, { name: "mail" }, testCall())).generation;
  const node = projectRooms(machineAt("node")).open({
    replica,
    directory: at("node-home/team"),
    maxBytes: 1e9,
    maxOpen: 4,
  });
  const app = openApp(machineAt("embedded", root));
  const called = async (
    tools: Parameters<typeof findTool>[0],
    name: string,
    input: unknown,
    place: string,
  ) => {
    const found = findTool(tools, name);
    if (!found) throw new Error(`no tool ${name}`);
    const notices: string[] = [];
    const call = testCall({ notice: (text) => notices.push(text) });
    try {
      const output = found.view
        ? (await invokeView({ tool: found.tool, view: found.view, context: { root: place } }, input, call))
            .output
        : await invoke(found.tool, input, call);
      return { output, notices };
    } catch (thrown) {
      return { error: String(thrown), notices };
    }
  };
  return {
    root,
    commit,
    publish,
    node,
    path: at,
    /** As the node answers. */
    async followed(repository: string, name: string, input: unknown) {
      return node.use(repository, ({ tools, root: place }) => called(tools, name, input, place));
    },
    embedded: (name: string, input: unknown) => called(app.tools, name, input, root),
    async [Symbol.asyncDispose]() {
      await app.close();
      await node[Symbol.asyncDispose]();
      await publisher[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
