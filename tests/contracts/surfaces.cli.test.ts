import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DomainError } from "../../src/core/errors.ts";
import { type Call, defineTool, type Tool } from "../../src/core/tool.ts";
import { type CliContext, runCli } from "../../src/surfaces/cli/index.ts";
import { makeTeam } from "../support/git-team.ts";
import { scratchApp } from "../support/scratch-app.ts";

/** A command that shows the input it was given, and fails when told to. */
const showing = (room: string, overrides: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    room,
    name: `${room}_show`,
    description: "Shows what it was given.",
    effect: "reads",
    audience: "people",
    command: {
      words: "thing show",
      positional: ["path", "names"],
      examples: ["contextful … thing show . a b"],
    },
    input: z.object({
      path: z.string().describe("A path"),
      names: z.array(z.string()).default([]).describe("Names"),
      max_count: z.int().min(1).default(3).describe("A number"),
      tests: z.boolean().default(true).describe("Include tests"),
      vendor: z.boolean().default(false).describe("With vendored code"),
      mode: z.enum(["fast", "slow"]).optional().describe("How"),
      tag: z.array(z.string()).optional().describe("Tags"),
      filter: z.object({ kind: z.string() }).optional().describe("A filter"),
    }),
    output: z.unknown(),
    run: async (input) => {
      if (input.path === "gone")
        throw new DomainError("not_found", "Nothing there", { details: { hint: "Look elsewhere." } });
      if (input.path === "busy") throw new DomainError("busy", "Held by another");
      if (input.path === "invalid") throw new DomainError("conflict", "Broken", { reason: "cache_invalid" });
      if (input.path === "bug") throw new Error("secret");
      return input;
    },
    show: (input) => JSON.stringify(input),
  }),
  ...overrides,
});

async function cli(
  argv: readonly string[],
  tools: readonly Tool[] = [showing("code-index"), showing("context-caches")],
  services: Partial<CliContext["services"]> = {},
) {
  let [out, err] = ["", ""];
  const context: CliContext = {
    version: "1.2.3",
    env: {},
    cwd: "/nowhere",
    signal: new AbortController().signal,
    actor: "ann",
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminalWidth: undefined,
    services: {
      open: ({ root }) => scratchApp(tools, { root }),
      requireDirectory: () => {},
      serveMcp: async () => {},
      serveHttp: async () => ({ port: 1, close: async () => {} }),
      serveTeam: async () => ({ port: 1, close: async () => {} }),
      startAlone: async () => {},
      toolDefinitions: async () => [],
      ...services,
    },
  };
  const code = await runCli(argv, context);
  return { code, out, err };
}

const DEFAULTS = { names: [], max_count: 3, tests: true, vendor: false };

describe("flags come from the tool's schema", () => {
  test.each([
    { argv: ["."], given: { path: ".", ...DEFAULTS } },
    { argv: [".", "a", "b"], given: { path: ".", ...DEFAULTS, names: ["a", "b"] } },
    { argv: [".", "--max-count", "7"], given: { path: ".", ...DEFAULTS, max_count: 7 } },
    { argv: [".", "--no-tests", "--vendor"], given: { path: ".", ...DEFAULTS, tests: false, vendor: true } },
    { argv: [".", "--tag", "x", "--tag", "y"], given: { path: ".", ...DEFAULTS, tag: ["x", "y"] } },
    { argv: [".", "--filter", '{"kind":"k"}'], given: { path: ".", ...DEFAULTS, filter: { kind: "k" } } },
    { argv: ["--mode", "slow", "--", "--help"], given: { path: "--help", ...DEFAULTS, mode: "slow" } },
  ])("$argv", async ({ argv, given }) => {
    const { code, out, err } = await cli(["code", "thing", "show", ...argv]);
    expect({ code, given: JSON.parse(out), err }).toEqual({ code: 0, given, err: "" });
  });
});

describe("exit codes and messages", () => {
  test.each([
    { argv: ["code", "thing", "show"], code: 2, err: /missing required argument/ },
    {
      argv: ["code", "thing", "show", ".", "--max-count", "x"],
      code: 2,
      err: /^error: --max-count must be a number, not a string\n$/,
    },
    {
      argv: ["code", "thing", "show", ".", "--max-count", "-1"],
      code: 2,
      err: /^error: --max-count must be at least 1\n$/,
    },
    {
      argv: ["code", "thing", "show", ".", "--mode", "odd"],
      code: 2,
      err: /^error: --mode must be one of: fast, slow\n$/,
    },
    {
      argv: ["code", "thing", "show", ".", "--filter", "{"],
      code: 2,
      err: /^error: --filter must be an object, not a string\n$/,
    },
    { argv: ["code", "thing", "show", ".", "--unknown"], code: 2, err: /unknown option '--unknown'/ },
    {
      argv: ["code", "thing", "sow"],
      code: 2,
      err: /unknown command 'sow'\nDid you mean contextful code thing show\?/,
    },
    { argv: ["cod"], code: 2, err: /unknown command 'cod'\nDid you mean contextful code\?/ },
    { argv: ["code", "thing", "show", "gone"], code: 3, err: /^error: Nothing there\nLook elsewhere\.\n$/ },
    { argv: ["code", "thing", "show", "busy"], code: 5, err: /^error: Held by another\n$/ },
    {
      argv: ["code", "thing", "show", "bug"],
      code: 1,
      err: /^error: Something went wrong inside contextful.*error id/,
    },
    { argv: ["caches", "thing", "show", "invalid"], code: 5, err: /^error: Broken\n$/ },
    { argv: ["caches", "thing", "show", "bug"], code: 7, err: /^error: / },
    { argv: ["caches", "thing", "show"], code: 1, err: /^error: / },
    { argv: ["caches", "nothing"], code: 1, err: /^error: / },
  ])("$argv → $code", async ({ argv, code, err }) => {
    const seen = await cli(argv);
    expect([seen.code, seen.out]).toEqual([code, ""]);
    expect(seen.err).toMatch(err);
  });

  test("with --json a failure is one object on stderr", async () => {
    const { code, out, err } = await cli(["code", "thing", "show", "gone", "--json"]);
    expect({ code, out, err: JSON.parse(err) }).toEqual({
      code: 3,
      out: "",
      err: { error: { code: "not_found", message: "Nothing there", hint: "Look elsewhere." } },
    });
  });

  test("a command may choose the exit code of a successful run", async () => {
    const stale = showing("code-index", { command: { words: "stale", exitCode: () => 4 } });
    const failed = showing("code-index", { name: "other", command: { words: "failed" }, failed: () => true });
    expect([
      (await cli(["code", "stale", "--path", "."], [stale])).code,
      (await cli(["code", "failed", "--path", "."], [failed])).code,
    ]).toEqual([4, 1]);
  });
});

test.each([
  { argv: ["--root", "/p"], root: "/p" },
  { argv: ["--root=/p"], root: "/p" },
  { argv: [], root: "/nowhere" },
  { argv: ["--", "--root"], root: "/nowhere" },
])("a command with $argv opens one app, at $root", async ({ argv, root }) => {
  const opened: unknown[] = [];
  const tool = showing("code-index", { command: { words: "look", positional: ["names", "path"] } });
  const services: Partial<CliContext["services"]> = {
    open: (options) => {
      opened.push(options.root);
      return scratchApp([tool]);
    },
  };
  await cli(["code", "look", ...argv], [], services);
  expect(opened).toEqual([root]);
});

test.each([
  { argv: [], opened: { root: "/nowhere" }, served: { profile: "auto", names: "auto" } },
  {
    argv: ["--root", "/p", "--cache-root", "/c", "--tools", "lean", "--tool-names", "safe"],
    opened: { root: "/p", cacheRoot: "/c" },
    served: { profile: "lean", names: "safe" },
  },
  {
    argv: ["--root", "/p", "--allow-root", "/a", "--allow-root", "/b"],
    opened: { root: "/p", allowed: ["/p", "/a", "/b"] },
  },
  { argv: ["--allow-root", "*"], opened: { root: "/nowhere" } },
])("mcp $argv opens and serves as the flags say", async ({ argv, opened, served }) => {
  const seen: unknown[] = [];
  const services: Partial<CliContext["services"]> = {
    open: (options) => {
      seen.push(options);
      return scratchApp([]);
    },
    serveMcp: async ({ open }, _signal, serving) => {
      await open();
      seen.push(serving);
    },
  };
  expect((await cli(["mcp", ...argv], [], services)).code).toBe(0);
  expect(seen).toEqual([opened, served ?? { profile: "auto", names: "auto" }]);
});

describe("output", () => {
  const CLIPBOARD = "\u001b]52;c;aGk=\u0007 \u001b[2J \u009b31m \u202e";
  const printing = (overrides: Partial<Tool> = {}) =>
    showing("code-index", {
      command: { words: "print" },
      run: async () => CLIPBOARD,
      show: String,
      ...overrides,
    });

  test("84: control characters from data never reach the terminal", async () => {
    const text = await cli(["code", "print", "--path", "."], [printing()]);
    const json = await cli(["code", "print", "--path", ".", "--json"], [printing()]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
    expect([dangerous.test(text.out), dangerous.test(json.out)]).toEqual([false, false]);
    expect(JSON.parse(json.out)).toBe(CLIPBOARD);
  });

  test("84: control characters in a failure never reach the terminal as JSON", async () => {
    const failing = printing({
      run: async () => {
        throw new DomainError("not_found", CLIPBOARD);
      },
    });
    const { err } = await cli(["code", "print", "--path", ".", "--json"], [failing]);
    expect(err).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(JSON.parse(err)).toEqual({ error: { code: "not_found", message: CLIPBOARD } });
  });

  describe("events", () => {
    const telling = printing({
      events: { schema: z.object({ seen: z.string() }), show: ({ seen }) => `seen ${seen}` },
      run: async (_input, call) => {
        call.emit?.({ seen: "a\u009b" });
        call.emit?.({ seen: "b" });
        return { count: 2 };
      },
      show: () => "2 seen",
    });
    const told = (...flags: string[]) => cli(["code", "print", "--path", ".", ...flags], [telling]);

    test("are lines on stderr for a person, and lines of JSON before the answer for a program", async () => {
      expect([await told(), await told("--json")]).toEqual([
        { code: 0, out: "2 seen\n", err: "seen a\\x9b\nseen b\n" },
        { code: 0, out: '{"seen":"a\\u009b"}\n{"seen":"b"}\n{"count":2}\n', err: "" },
      ]);
    });

    test("are named in the help of --json", async () => {
      expect((await told("--help")).out).toMatch(/--json\s+Print each event as a line of JSON/);
    });

    test("with a wrong shape are a bug", async () => {
      const wrong = { ...telling, run: async (_input: unknown, call: Call<unknown>) => call.emit?.("odd") };
      expect(await cli(["code", "print", "--path", "."], [wrong])).toMatchObject({ code: 1, out: "" });
    });
  });

  test("bytes that a contract fixes are printed unchanged", async () => {
    const raw = printing({ command: { words: "print", raw: true } });
    expect((await cli(["code", "print", "--path", "."], [raw])).out).toBe(`${CLIPBOARD}\n`);
  });

  test("help shows flags, defaults and examples", async () => {
    const { code, out } = await cli(["code", "thing", "show", "--help"]);
    expect([
      code,
      /--no-tests/.test(out),
      /--max-count <N>.*\[default: 3\]/s.test(out),
      /Examples:/.test(out),
    ]).toEqual([0, true, true, true]);
  });

  test("a group within a group describes itself in a sentence, and rm also answers to remove", async () => {
    const entries = ["list", "rm", "review", "add"].map((verb) =>
      showing("team-memory", { name: verb, command: { words: `skill ${verb}` } }),
    );
    const { out } = await cli(["memory", "--help"], entries);
    expect(out).toMatch(/skill +Add, list or remove skill entries, and more\n/);
    expect((await cli(["memory", "skill", "remove", "--path", "."], entries)).code).toBe(0);
  });

  test("the help of a flag that turns something off is a sentence", async () => {
    const { out } = await cli(["code", "thing", "show", "--help"]);
    expect(out).toMatch(/--no-tests +Do not include tests\n/);
  });

  test("a list of commands begins with what most people need", async () => {
    const verbs = ["rm", "list", "rate", "add", "search"].map((words) =>
      showing("team-memory", { name: words, command: { words } }),
    );
    const { out } = await cli(["memory", "--help"], verbs);
    const [, listed = ""] = out.split("Commands:\n");
    expect(listed.match(/^ {2}\w+/gm)?.map((word) => word.trim())).toEqual([
      "search",
      "add",
      "list",
      "rm",
      "rate",
      "help",
    ]);
  });

  test.each([
    {
      argv: ["code", "thing", "find", "where", "is", "it", "--max-count", "2"],
      advice: 'Put several words in quotes: contextful code thing find "where is it"',
    },
    { argv: ["code", "thing", "find"], advice: "Usage: contextful code thing find [options] <PATH>" },
    { argv: ["code", "thing", "find", ".", "--max-cont", "2"], advice: "Did you mean --max-count?" },
    { argv: ["version"], advice: "Did you mean contextful --version?" },
    { argv: ["codebase"], advice: "Did you mean contextful code?" },
  ])("a wrong command line says what to type instead: $argv", async ({ argv, advice }) => {
    const finding = showing("code-index", { command: { words: "thing find", positional: ["path"] } });
    const { code, err } = await cli(argv, [finding]);
    expect([code, err.split("\n").slice(1)]).toEqual([
      2,
      [advice, `More: contextful${argv[0] === "code" ? " code thing find" : ""} --help`, ""],
    ]);
  });

  test("a command without its group names the groups that have it", async () => {
    const { code, err } = await cli(["print"], [printing()]);
    expect([code, err.includes("Did you mean contextful code print?")]).toEqual([2, true]);
  });

  test.each(["list", "lst"])("a command of an inner group is found without it: memory %s", async (word) => {
    const entries = ["skill list", "knowledge list", "knowledge add"].map((words) =>
      showing("team-memory", { name: words.replace(" ", "_"), command: { words } }),
    );
    const { code, err } = await cli(["memory", word], entries);
    expect([code, err.split("\n").filter((line) => line.startsWith("Did you mean"))]).toEqual([
      2,
      ["Did you mean contextful memory skill list?", "Did you mean contextful memory knowledge list?"],
    ]);
  });

  test("without arguments it says in five lines what it is and what to do next", async () => {
    const { code, out } = await cli([]);
    expect([code, out.trimEnd().split("\n").length, /contextful start/.test(out)]).toEqual([0, 5, true]);
  });

  test.each(["bash", "zsh", "fish"])("completion for %s knows groups, commands and flags", async (shell) => {
    const { code, out } = await cli(["completion", shell]);
    expect([
      code,
      ...["code", "thing", "show", "max-count", "serve"].map((word) => out.includes(word)),
    ]).toEqual([0, true, true, true, true, true]);
  });

  test("--version prints only the version", async () => {
    expect(await cli(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  });
});

test("a write records git's name for the user, else the local name, and never the host", async () => {
  const writing = showing("team-memory", {
    effect: "writes",
    run: async (_, { actor }) => ({ actor }),
  });
  using team = makeTeam(1);
  const [ana] = team.clones;
  const actorAt = async (root: string) =>
    JSON.parse((await cli(["memory", "thing", "show", ".", "--root", root], [writing])).out).actor;
  expect([await actorAt(ana?.path ?? ""), await actorAt("/nowhere")]).toEqual(["Member 0", "ann"]);
});

test("a next step that needs nobody is started as a process of its own, and stderr says so", async () => {
  const started: (readonly string[])[] = [];
  const step = { tool: "code-index_show", input: { path: "/a b" }, isInBackground: true };
  const command = { words: "thing show", positional: ["path"], next: () => step };
  const { code, out, err } = await cli(
    ["code", "thing", "show", ".", "--json"],
    [showing("code-index", { command })],
    { startAlone: async (words) => void started.push(words) },
  );
  expect([code, JSON.parse(out), err]).toEqual([
    0,
    { path: ".", ...DEFAULTS },
    "Started in the background: contextful code thing show '/a b'\n",
  ]);
  expect(started).toEqual([["code", "thing", "show", "/a b"]]);
});
