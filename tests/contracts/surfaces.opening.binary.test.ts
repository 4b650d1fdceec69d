import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The first answers of a server come from the build. The SDK is the authority: each must have the bytes of its answer. */

const CLIENT = { name: "test", version: "1" };
const initialize = (params: Readonly<Record<string, unknown>> = {}) =>
  request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: CLIENT,
    ...params,
  });
const request = (id: number, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const READY = { jsonrpc: "2.0", method: "notifications/initialized" };
const LIST = request(1, "tools/list");
/** A client with such a capability is the SDK's from the first message on. */
const LEFT_TO_SDK = { experimental: { any: {} } };
const PING = request(99, "ping");

interface Session {
  readonly messages: readonly unknown[];
  readonly flags?: readonly string[];
  readonly root?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function answersTo({ messages, flags = [], root = ".", env = {} }: Session): Promise<string[]> {
  const { stdout } = spawnSync(process.execPath, [await builtBinary(), "mcp", "--root", root, ...flags], {
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 1 << 26,
  });
  return stdout.trimEnd().split("\n");
}

/** The files of the build that a session loads. */
async function loadedBy(session: Session): Promise<string[]> {
  using coverage = tempDir();
  await answersTo({ ...session, env: { NODE_V8_COVERAGE: coverage.path } });
  const reports = readdirSync(coverage.path).map((file) =>
    JSON.parse(readFileSync(join(coverage.path, file), "utf8")),
  );
  const dist = dirname(await builtBinary());
  return reports
    .flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
    .filter((url) => url.startsWith(`file://${dist}/`))
    .map((url) => basename(url).replace(/-.{8}\.js$/, ""))
    .sort();
}

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07", "1999-01-01"])(
  "a client of revision %s gets the SDK's answers",
  async (protocolVersion) => {
    const session = (capabilities: unknown) => ({
      messages: [initialize({ protocolVersion, capabilities }), READY, LIST, request(2, "tools/list", {})],
    });
    const answers = await answersTo(session({}));
    expect(answers).toEqual(await answersTo(session(LEFT_TO_SDK)));
    expect(answers).toHaveLength(3);
  },
);

test.each([
  { flags: [] },
  { flags: ["--tools", "all"] },
  { flags: ["--tools", "lean"] },
  { flags: ["--tool-names", "safe"] },
  { flags: ["--tools", "lean", "--tool-names", "contract"] },
  { flags: ["--tools", "code-index,packs"] },
])("with $flags every client gets the SDK's list", async ({ flags }) => {
  const asked = request(1, "tools/list", { _meta: { progressToken: 3 } });
  for (const name of ["test", "claude-code", "gemini-cli", "claude-ai"]) {
    const clientInfo = { ...CLIENT, name };
    const session = (capabilities: unknown) => ({
      flags,
      messages: [initialize({ clientInfo, capabilities }), READY, asked],
    });
    expect(await answersTo(session({}))).toEqual(await answersTo(session(LEFT_TO_SDK)));
  }
  // A client may list without an initialize.
  expect(await answersTo({ flags, messages: [LIST] })).toEqual(
    (await answersTo({ flags, messages: [PING, LIST] })).slice(1),
  );
});

test("the instructions are the SDK's outside a repository, without a store and with one", async () => {
  using scratch = tempDir();
  const [bare, empty, used] = ["bare", "empty", "used"].map((name) => join(scratch.path, name));
  for (const root of [bare, empty, used]) mkdirSync(root ?? "");
  for (const root of [empty, used]) spawnSync("git", ["init", "-q", root ?? ""]);
  const binary = await builtBinary();
  spawnSync(process.execPath, [binary, "memory", "init", "--root", used ?? ""]);
  spawnSync(process.execPath, [binary, "memory", "convention", "add", "tabs", "x", "--root", used ?? ""]);
  const said = [];
  for (const root of [bare, empty, used]) {
    const session = (capabilities: unknown) => ({
      root: root ?? "",
      messages: [initialize({ capabilities })],
    });
    const answers = await answersTo(session({}));
    expect(answers).toEqual(await answersTo(session(LEFT_TO_SDK)));
    said.push(/Team memory[^"\\]*/.exec(answers[0] ?? "")?.[0]);
  }
  expect(said).toEqual([undefined, "Team memory is empty.", "Team memory of "]);
});

test.each([
  { what: "no client", initialize: { clientInfo: undefined } },
  { what: "a client without a version", initialize: { clientInfo: { name: "test" } } },
  { what: "a wrong capability", initialize: { capabilities: { roots: { listChanged: "yes" } } } },
  { what: "a capability that is no object", initialize: { capabilities: { sampling: true } } },
  { what: "a revision that is no text", initialize: { protocolVersion: 3 } },
])("an initialize with $what is the SDK's to judge", async ({ initialize: params }) => {
  const messages = [initialize(params), LIST];
  expect(await answersTo({ messages })).toEqual(
    (await answersTo({ messages: [PING, ...messages] })).slice(1),
  );
});

test.each([
  { what: "a cursor", asked: [request(2, "tools/list", { cursor: "x" })] },
  {
    what: "a second initialize",
    asked: [{ ...initialize({ protocolVersion: "2024-11-05" }), id: 2 }, request(3, "tools/list")],
  },
  {
    what: "a request of the stateless era",
    asked: [request(2, "tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })],
  },
  { what: "a method that does not exist", asked: [request(2, "tools/none")] },
  { what: "a call that names the client", asked: [request(2, "tools/call", { name: "more_tools" })] },
  { what: "resources and prompts", asked: [request(2, "resources/list"), request(3, "prompts/list")] },
])("after a first answer the SDK serves $what as if it had been there before", async ({ asked }) => {
  const session = (capabilities: unknown) => ({
    messages: [
      initialize({ capabilities, clientInfo: { ...CLIENT, name: "claude-code" } }),
      READY,
      LIST,
      ...asked,
    ],
  });
  expect((await answersTo(session({}))).toSorted()).toEqual(
    (await answersTo(session(LEFT_TO_SDK))).toSorted(),
  );
});

test("the first answers load neither the SDK nor a schema nor a room", async () => {
  const few = await loadedBy({ messages: [initialize(), READY, LIST] });
  const all = await loadedBy({ messages: [initialize(), READY, LIST, request(2, "prompts/list")] });
  const heavy = ["core", "mcp", "rooms", "code-tools"];
  expect(few.filter((name) => heavy.includes(name))).toEqual([]);
  expect(heavy.filter((name) => !all.includes(name))).toEqual([]);
});
