import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { CLIENT_IDS } from "../../src/capabilities/clients/client.ts";
import { removeJsonEntry, setJsonEntry } from "../../src/capabilities/clients/edit/json-edit.ts";
import { CLIENTS } from "../../src/capabilities/clients/known-clients.ts";
import { tempDir } from "../support/temp-dir.ts";
import { jsonForms, person, serversKey, setup, TOML_FORMS } from "./clients-cases.ts";

function machineIn(dir: string) {
  const root = join(dir, "project");
  const home = join(dir, "home");
  mkdirSync(root);
  mkdirSync(home);
  return { machine: person(root, home), root, home };
}
const where = (root: string, home: string) => ({ root, home, env: {}, platform: process.platform });
const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
const serverIn = (text: string | undefined, format: string, key: string): unknown => {
  const plain = (text ?? "").replace(/^\uFEFF/, "");
  const value: unknown = format === "toml" ? parseToml(plain) : parseJsonc(plain);
  return Object(Object(value)[format === "toml" ? "mcp_servers" : key])["contextful"];
};

const CASES = CLIENTS.flatMap((client) =>
  Object.entries(client.format === "toml" ? TOML_FORMS : jsonForms(serversKey(client.id))).flatMap(
    ([form, text]) =>
      (["project", "user"] as const)
        .filter((scope) => client.file(scope, where("/", "/")) !== undefined)
        // The editing code is the same, so user files need fewer forms.
        .filter((scope) => scope === "project" || /comment|no file/.test(form))
        .map((scope) => ({ client, form, text, scope })),
  ),
);

describe("setup, setup again, undo", () => {
  test.each(CASES)("$client.id, $scope: $form", async ({ client, text, scope }) => {
    using dir = tempDir();
    const { machine, root, home } = machineIn(dir.path);
    const file = client.file(scope, where(root, home)) ?? "";
    if (text !== undefined) put(file, text);
    const input = { clients: [client.id], scope };

    const planned = await setup(machine, input);
    expect(read(file)).toBe(text);
    expect(planned.shown).toContain("MCP_CALLER");

    await setup(machine, { ...input, yes: true });
    const written = read(file);
    expect(serverIn(written, client.format, serversKey(client.id))).toMatchObject(
      client.id === "opencode"
        ? { type: "local", environment: { MCP_CALLER: "mcp:opencode" } }
        : {
            args: expect.arrayContaining(["mcp", "--tool-names", "safe"]),
            env: { MCP_CALLER: `mcp:${client.id}` },
          },
    );
    for (const comment of text?.match(/(\/\/|#|\/\*) .*/g) ?? []) expect(written).toContain(comment);
    if (text?.includes("\r\n")) expect(written).not.toMatch(/[^\r]\n/);

    const again = await setup(machine, { ...input, yes: true });
    expect(again.output).toMatchObject({ files: [{ action: "unchanged" }] });
    expect(read(file)).toBe(written);

    await setup(machine, { undo: true });
    expect(read(file)).toBe(text);
    if (text === undefined)
      expect(readdirSync(scope === "project" ? root : home).filter((name) => name !== ".local")).toEqual([]);
  });
});

describe("files that setup refuses", () => {
  const refused = async (prepare: (file: string, dir: string) => void, client = "cursor") => {
    using dir = tempDir();
    const { machine, root } = machineIn(dir.path);
    const file = join(root, client === "codex" ? ".codex/config.toml" : ".cursor/mcp.json");
    mkdirSync(dirname(file));
    prepare(file, dir.path);
    const before = read(file);
    const { output, exitCode } = await setup(machine, { clients: [client], yes: true });
    expect(read(file)).toBe(before);
    expect(exitCode).toBe(1);
    return output;
  };
  const row = (note: unknown) => ({ files: [{ action: "refused", note }] });

  test("a file that is not JSON", async () => {
    expect(await refused((file) => writeFileSync(file, '{\n  "a": 1,\n  oops\n}'))).toMatchObject(
      row(expect.stringMatching(/cannot be read as JSON \(line 3/)),
    );
  });
  test("a file that is not TOML", async () => {
    expect(await refused((file) => writeFileSync(file, "[a\n"), "codex")).toMatchObject(
      row(expect.stringContaining("cannot be read as TOML")),
    );
  });
  test("a file that is not UTF-8", async () => {
    expect(await refused((file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x7b])))).toMatchObject(
      row("it is not UTF-8"),
    );
  });
  test("a read-only file", async () => {
    const prepare = (file: string) => {
      writeFileSync(file, "{}");
      chmodSync(file, 0o444);
    };
    expect(await refused(prepare)).toMatchObject(row("it is read-only"));
  });
  test("a project file that links out of the project, and a broken link", async () => {
    const out = (file: string, dir: string) => {
      writeFileSync(join(dir, "outside.json"), "{}");
      symlinkSync(join(dir, "outside.json"), file);
    };
    expect(await refused(out)).toMatchObject(row("it leads out of the project through a link"));
    expect(await refused((file) => symlinkSync("nowhere", file))).toMatchObject(
      row("it is a link that leads nowhere"),
    );
  });
  test("a project folder that links out of the project", async () => {
    const prepare = (file: string, dir: string) => {
      mkdirSync(join(dir, "outside"));
      rmSync(dirname(file), { recursive: true });
      symlinkSync(join(dir, "outside"), dirname(file));
    };
    expect(await refused(prepare)).toMatchObject(row("it leads out of the project through a link"));
  });
  test.each([
    ["servers that are a list", '{"mcpServers": []}', "mcpServers is not an object"],
    ["a key that is there twice", '{"mcpServers": {}, "mcpServers": {}}', 'it has "mcpServers" twice'],
    ["a list as a whole", "[]", "its content is not an object"],
  ])("%s", async (_name, text, note) => {
    expect(await refused((file) => writeFileSync(file, text))).toMatchObject(row(note));
  });
  test("tables written in a way that cannot be edited as text", async () => {
    expect(
      await refused(
        (file) => writeFileSync(file, 'mcp_servers = { contextful = { command = "x" } }\n'),
        "codex",
      ),
    ).toMatchObject(row(expect.stringContaining("--print")));
  });
});

test("a linked dotfile stays a link and keeps its mode; undo restores its target", async () => {
  using dir = tempDir();
  const { machine, home } = machineIn(dir.path);
  const real = join(home, "dotfiles", "cursor.json");
  put(real, "{}\n");
  chmodSync(real, 0o600);
  mkdirSync(join(home, ".cursor"));
  symlinkSync(real, join(home, ".cursor", "mcp.json"));
  await setup(machine, { clients: ["cursor"], scope: "user", yes: true });
  expect(readlinkSync(join(home, ".cursor", "mcp.json"))).toBe(real);
  expect(read(real)).toContain("contextful");
  expect(statSync(real).mode & 0o777).toBe(0o600);
  await setup(machine, { undo: true });
  expect(read(real)).toBe("{}\n");
});

test("fields that people added to our entry stay when the tools change", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const json = join(root, ".gemini", "settings.json");
  put(json, '{ "mcpServers": { "contextful": { "command": "old", "timeout": 5, "env": { "MY": "own" } } } }');
  const toml = join(root, ".codex", "config.toml");
  put(
    toml,
    '[mcp_servers.contextful]\ncommand = "old"\nstartup_timeout_sec = 9\n\n[mcp_servers.contextful.env]\nMY = "own"\n\n# next\n[tui]\n',
  );
  await setup(machine, { clients: ["gemini", "codex"], tools: "lean", yes: true });
  const expected = {
    args: expect.arrayContaining(["--tools", "lean"]),
    env: { MY: "own", MCP_CALLER: expect.any(String) },
  };
  expect(serverIn(read(json), "json", "mcpServers")).toMatchObject({ ...expected, timeout: 5 });
  expect(serverIn(read(toml), "toml", "")).toMatchObject({ ...expected, startup_timeout_sec: 9 });
  expect(read(toml)).toContain("\n# next\n[tui]\n");
});

test("undo after the user's own edit removes only our entry", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const json = join(root, ".cursor", "mcp.json");
  put(json, '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n');
  const toml = join(root, ".codex", "config.toml");
  put(toml, 'model = "x"\n');
  await setup(machine, { clients: ["cursor", "codex"], yes: true });
  writeFileSync(json, read(json)?.replace('"other": {}', '"other": { "command": "mine" }') ?? "");
  writeFileSync(toml, `${read(toml)}\n[tui]\nnotifications = true\n`);
  await setup(machine, { undo: true });
  expect(read(json)).toBe('{\n  "mcpServers": {\n    "other": { "command": "mine" }\n  }\n}\n');
  expect(parseToml(read(toml) ?? "")).toEqual({ model: "x", tui: { notifications: true } });
});

test.each([
  ["a comment before it", '"other": {},\n    // mine\n    OURS\n', '"other": {}\n    // mine\n'],
  ["a comment after it", '"other": {},\n    OURS // mine\n', '"other": {}\n     // mine\n'],
  ["a server after it", 'OURS, // mine\n    "other": {}\n', ' // mine\n    "other": {}\n'],
  ["a trailing comma", '"other": {}, // a, b\n    OURS,\n', '"other": {}, // a, b\n'],
])("removing an entry does not change %s", (_what, inside, left) => {
  const whole = (servers: string) => `{\n  "mcpServers": {\n    ${servers}  }\n}\n`;
  const text = whole(inside.replace("OURS", '"contextful": { "command": "x" /* ours */ }'));
  expect(removeJsonEntry(text, ["mcpServers", "contextful"])).toEqual({ text: whole(left) });
});

test("undo after the user's own edit restores the entry before ours", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const json = join(root, ".cursor", "mcp.json");
  put(json, '{ "mcpServers": { "contextful": { "command": "mine", "env": { "A": "1" } } } }\n');
  const toml = join(root, ".codex", "config.toml");
  put(toml, '[mcp_servers.contextful]\ncommand = "mine"\n');
  await setup(machine, { clients: ["cursor", "codex"], yes: true });
  writeFileSync(json, `// later\n${read(json)}`);
  writeFileSync(toml, `${read(toml)}\n[tui]\n`);
  await setup(machine, { undo: true });
  expect(read(json)).toMatch(/^\/\/ later\n/);
  expect(serverIn(read(json), "json", "mcpServers")).toEqual({ command: "mine", env: { A: "1" } });
  expect(parseToml(read(toml) ?? "")).toEqual({ mcp_servers: { contextful: { command: "mine" } }, tui: {} });
});

test("undo reports what it removed, or what to do if it cannot", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  await setup(machine, { clients: ["claude-code", "cursor"], yes: true });
  writeFileSync(join(root, ".mcp.json"), "{ oops");
  const { output, shown, exitCode } = await setup(machine, { undo: true });
  expect(output).toMatchObject({
    files: [
      { client: "cursor", action: "remove" },
      {
        client: "claude-code",
        action: "refused",
        note: expect.stringContaining('remove the entry "contextful"'),
      },
    ],
  });
  expect([exitCode, shown.includes("removed   cursor")]).toEqual([1, true]);
  await expect(setup(machine, { undo: true, clients: ["nope"] })).rejects.toThrow("Unknown client: nope.");
});

test("setup in a subdirectory is done for the repository, and undone through any path to it", async () => {
  using dir = tempDir();
  const { root, home } = machineIn(dir.path);
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, "sub"));
  await setup(person(join(root, "sub"), home), { clients: ["claude-code"], yes: true });
  expect(read(join(root, ".mcp.json"))).toContain("contextful");
  symlinkSync(root, join(dir.path, "alias"));
  await setup(person(join(dir.path, "alias"), home), { undo: true });
  expect(read(join(root, ".mcp.json"))).toBeUndefined();
});

test("a second setup with other choices is still undone to the first bytes", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const file = join(root, ".mcp.json");
  put(file, '{"mcpServers":{}}');
  await setup(machine, { clients: ["claude-code"], yes: true });
  await setup(machine, { clients: ["claude-code"], tools: "lean", yes: true });
  await setup(machine, { undo: true });
  expect(read(file)).toBe('{"mcpServers":{}}');
});

test("undo works after setup died between the journal and the file", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const file = join(root, ".mcp.json");
  await setup(machine, { clients: ["claude-code"], yes: true });
  rmSync(file);
  put(file, "{}");
  const journal = join(machine.home, "clients", "journal.json");
  writeFileSync(journal, readFileSync(journal, "utf8").replace('"before":null', `"before":"${btoa("{}")}"`));
  expect((await setup(machine, { undo: true })).output).toMatchObject({ files: [{ action: "unchanged" }] });
  expect(read(file)).toBe("{}");
  expect((await setup(machine, { undo: true })).shown).toBe("Nothing to undo.");
  expect(statSync(journal).mode & 0o777).toBe(0o600);
});

test("setup after a died setup can be undone to the first bytes", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const file = join(root, ".mcp.json");
  put(file, "{}");
  await setup(machine, { clients: ["claude-code"], yes: true });
  put(file, "{}");
  await setup(machine, { clients: ["claude-code"], tools: "lean", yes: true });
  await setup(machine, { undo: true });
  expect(read(file)).toBe("{}");
});

test("undo in one project leaves another project alone", async () => {
  using dir = tempDir();
  const { machine, root, home } = machineIn(dir.path);
  mkdirSync(join(dir.path, "elsewhere"));
  await setup(machine, { clients: ["claude-code"], yes: true });
  await setup(person(join(dir.path, "elsewhere"), home), { undo: true });
  expect(read(join(root, ".mcp.json"))).toContain("contextful");
});

test("clients are found by their files or by their program", async () => {
  using dir = tempDir();
  const { root, home } = machineIn(dir.path);
  mkdirSync(join(home, ".gemini"));
  put(join(dir.path, "bin", "claude"), "");
  put(join(root, "opencode.jsonc"), "{}");
  const machine = person(root, home, { PATH: join(dir.path, "bin") });
  const { output } = await setup(machine, {});
  expect(output).toMatchObject({
    written: false,
    files: [
      { client: "claude-code" },
      { client: "gemini" },
      { client: "opencode", file: join(root, "opencode.jsonc") },
    ],
  });
  await expect(setup(person(root, join(dir.path, "nobody")), { clients: ["emacs"] })).rejects.toThrow(
    `Unknown client: emacs. Known: ${CLIENT_IDS.join(", ")}.`,
  );
});

test("unknown tools are refused before anything is planned", async () => {
  using dir = tempDir();
  const { machine } = machineIn(dir.path);
  await expect(setup(machine, { clients: ["zed"], tools: "code-index,nope" })).rejects.toThrow(
    "Unknown tools: nope.",
  );
});

test("--print shows only the entry", async () => {
  using dir = tempDir();
  const { machine } = machineIn(dir.path);
  const zed = (await setup(machine, { clients: ["zed"], print: true, launch: "npx" })).shown;
  expect(JSON.parse(zed)).toEqual({
    context_servers: {
      contextful: {
        source: "custom",
        command: "npx",
        args: ["-y", "contextful", "mcp", "--tool-names", "safe"],
        env: { MCP_CALLER: "mcp:zed" },
      },
    },
  });
  const codex = (await setup(machine, { clients: ["codex"], print: true, launch: "npx" })).shown;
  expect(codex).toBe(
    '[mcp_servers.contextful]\ncommand = "npx"\nargs = [ "-y", "contextful", "mcp", "--tool-names", "safe" ]\n\n' +
      '[mcp_servers.contextful.env]\nMCP_CALLER = "mcp:codex"\n',
  );
});

test("the new form of OpenCode has servers one level deeper", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  put(join(root, "opencode.json"), '{ "mcp": { "servers": { "other": {} } } }');
  await setup(machine, { clients: ["opencode"], yes: true });
  expect(parseJsonc(read(join(root, "opencode.json")) ?? "")).toMatchObject({
    mcp: { servers: { other: {}, contextful: { type: "local" } } },
  });
});

test("an OpenCode server named servers is not the new form", async () => {
  using dir = tempDir();
  const { machine, root } = machineIn(dir.path);
  const servers = { type: "local", command: ["x"] };
  put(join(root, "opencode.json"), JSON.stringify({ mcp: { servers } }));
  await setup(machine, { clients: ["opencode"], yes: true });
  expect(parseJsonc(read(join(root, "opencode.json")) ?? "")).toEqual({
    mcp: { servers, contextful: expect.objectContaining({ type: "local" }) },
  });
});

test("setting an entry in any JSON changes nothing else", () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const object = fc.dictionary(fc.constantFrom("a", "b", "mcp Servers", "ü"), fc.oneof(leaf, fc.array(leaf)));
  const whole = fc.record({ theme: leaf, mcpServers: object, rest: object }, { requiredKeys: [] });
  const indent = fc.constantFrom(undefined, 1, 4, "\t");
  const noise = fc.constantFrom("", " ", "\n", " // note\n", "/* note */");
  fc.assert(
    fc.property(whole, indent, noise, noise, (value, space, before, after) => {
      const text =
        before + JSON.stringify(value, null, space).replaceAll(",\n", `,${after || " "}\n`) + after;
      const edited = setJsonEntry(text, ["mcpServers", "contextful"], { command: "x" });
      const now: unknown = "text" in edited ? parseJsonc(edited.text) : edited;
      expect(now).toEqual({ ...value, mcpServers: { ...value.mcpServers, contextful: { command: "x" } } });
    }),
  );
});
