import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { CLIENT_IDS } from "../../src/capabilities/clients/client.ts";
import { findBlock, outsideBlock, setBlock } from "../../src/capabilities/clients/export/managed-block.ts";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { person, runClients } from "./clients-cases.ts";

const writer = { actor: "ana@host", signal: new AbortController().signal };

/** A repository whose team knows a few things, one of them private. */
async function team() {
  const dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  const machine = person(root, join(dir.path, "home"));
  const memory = await openTeamMemory(machine).forClients();
  await memory.addText("convention", { key: "testing", content: "# Tests\nRun them **all**." }, writer);
  await memory.addText("knowledge", { key: "tech-stack", content: "TypeScript and SQLite" }, writer);
  await memory.addText(
    "knowledge",
    { key: "salary", content: "secret numbers", scope: "private" } as never,
    writer,
  );
  await memory.addSkill(
    { name: "deploy", description: "Deploy: staging", instructions: "Push the button." },
    writer,
  );
  const file = (path: string) => join(root, path);
  return {
    root,
    memory,
    read: (path: string) => (existsSync(file(path)) ? readFileSync(file(path), "utf8") : undefined),
    put: (path: string, text: string) => {
      mkdirSync(dirname(file(path)), { recursive: true });
      writeFileSync(file(path), text);
    },
    run: (name: "export" | "import", input: Readonly<Record<string, unknown>>) =>
      runClients(machine, `clients_${name}`, input),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe("export", () => {
  test("puts public entries between our markers and does not change the user's text", async () => {
    using at = await team();
    at.put("AGENTS.md", "# Mine\r\n\r\nKeep this.\r\n");
    await at.run("export", { client: "codex" });
    const text = at.read("AGENTS.md") ?? "";
    expect(outsideBlock(text)).toBe("# Mine\r\n\r\nKeep this.\r\n\r\n");
    expect(findBlock(text)?.body).toBe(
      [
        "## Team context",
        "",
        "Written by `contextful export` from the team's memory; change it there.",
        "",
        "### Conventions",
        "",
        "#### testing",
        "",
        "##### Tests",
        "Run them **all**.",
        "",
        "### Knowledge",
        "",
        "#### tech-stack",
        "",
        "TypeScript and SQLite",
        "",
      ].join("\n"),
    );
    expect(at.read(".agents/skills/deploy/SKILL.md")).toBe(
      '---\nname: deploy\ndescription: "Deploy: staging"\nmetadata:\n  managed-by: contextful\n---\n\nPush the button.\n',
    );
  });

  test.each(CLIENT_IDS)(
    "twice for %s changes nothing the second time, and a check agrees",
    async (client) => {
      using at = await team();
      const first = await at.run("export", { client });
      expect(first.shown).toMatch(/create/);
      const again = await at.run("export", { client });
      expect(again.shown).not.toMatch(/^(create|change|remove)/m);
      expect((await at.run("export", { client, check: true })).exitCode).toBe(0);
      expect((await at.run("export", { check: true })).exitCode).toBe(0);
      await at.memory.addText("convention", { key: "style", content: "Short names" }, writer);
      const drift = await at.run("export", { check: true });
      expect([drift.exitCode, drift.shown.includes("Short names")]).toEqual([4, true]);
    },
  );

  test("Claude Code gets a line that includes AGENTS.md, unless it has one", async () => {
    using at = await team();
    await at.run("export", { client: "claude-code" });
    expect(findBlock(at.read("CLAUDE.md") ?? "")?.body).toBe("@AGENTS.md\n");
    expect(at.read(".claude/skills/deploy/SKILL.md")).toContain("Push the button.");
    at.put("CLAUDE.md", "Mine\n@AGENTS.md\n");
    await at.run("export", { client: "claude-code" });
    expect(at.read("CLAUDE.md")).toBe("Mine\n@AGENTS.md\n");
  });

  test("a CLAUDE.md that links to AGENTS.md stays a link", async () => {
    using at = await team();
    at.put("AGENTS.md", "Mine\n");
    symlinkSync("AGENTS.md", join(at.root, "CLAUDE.md"));
    await at.run("export", { client: "claude-code" });
    expect(at.read("CLAUDE.md")).toBe(at.read("AGENTS.md"));
    expect(at.read("AGENTS.md")).not.toContain("@AGENTS.md");
  });

  test("a skill that the team removed is deleted; a skill of the user stays", async () => {
    using at = await team();
    at.put(".agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: x\n---\nbody\n");
    at.put(".agents/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: my own\n---\n");
    expect((await at.run("export", { client: "codex" })).shown).toContain(
      "a skill with this name exists and is not ours",
    );
    at.put(
      ".agents/skills/old/SKILL.md",
      "---\nname: old\ndescription: x\nmetadata:\n  managed-by: contextful\n---\n",
    );
    await at.run("export", { client: "codex" });
    expect(readdirSync(join(at.root, ".agents", "skills")).sort()).toEqual(["deploy", "mine"]);
    expect(at.read(".agents/skills/deploy/SKILL.md")).toContain("my own");
  });
});

describe("export does not change but reports", () => {
  const REFUSED = { shown: expect.stringMatching(/^skipped +AGENTS\.md +\(it is/m), exitCode: 0 };
  test("a file that is not UTF-8", async () => {
    using at = await team();
    const bytes = Buffer.from([0x4d, 0xfc, 0x0a]);
    writeFileSync(join(at.root, "AGENTS.md"), bytes);
    expect(await at.run("export", { client: "codex" })).toMatchObject(REFUSED);
    expect(readFileSync(join(at.root, "AGENTS.md"))).toEqual(bytes);
    expect((await at.run("import", { client: "codex" })).shown).toContain("it is not UTF-8");
  });
  test("a read-only file", async () => {
    using at = await team();
    at.put("AGENTS.md", "Mine\n");
    chmodSync(join(at.root, "AGENTS.md"), 0o444);
    expect(await at.run("export", { client: "codex" })).toMatchObject(REFUSED);
    expect(at.read("AGENTS.md")).toBe("Mine\n");
  });
  test("a folder that is a file", async () => {
    using at = await team();
    at.put(".agents", "");
    const { shown } = await at.run("export", { client: "codex" });
    expect(shown).toMatch(/create +AGENTS\.md\nskipped .*\(\.agents is not a directory\)/);
  });
});

describe("a check without a client", () => {
  test("finds the rest of an export whose instructions were removed", async () => {
    using at = await team();
    await at.run("export", { client: "codex" });
    rmSync(join(at.root, "AGENTS.md"));
    expect(await at.run("export", { check: true })).toMatchObject({
      exitCode: 4,
      shown: expect.stringContaining("create    AGENTS.md"),
    });
  });
  test("recognizes the user's own include line", async () => {
    using at = await team();
    at.put("CLAUDE.md", "@AGENTS.md\n");
    await at.run("export", { client: "claude-code" });
    expect((await at.run("export", { check: true })).exitCode).toBe(0);
    await at.memory.addSkill({ name: "more", description: "More", instructions: "x" }, writer);
    const { shown } = await at.run("export", { check: true });
    expect(shown).toContain("create    .claude/skills/more/SKILL.md");
    expect(shown).not.toContain(".agents");
  });
});

test("from a subdirectory, export writes to the project root", async () => {
  using at = await team();
  at.put("packages/a/x.txt", "");
  const below = person(join(at.root, "packages", "a"), join(dirname(at.root), "home"));
  await runClients(below, "clients_export", { client: "codex" });
  expect(at.read("AGENTS.md")).toContain("Run them **all**.");
  expect(readdirSync(join(at.root, "packages", "a"))).toEqual(["x.txt"]);
});

test("a convention that is only part of a user's sentence is exported", async () => {
  using at = await team();
  await at.memory.addText("convention", { key: "tabs", content: "Use tabs" }, writer);
  at.put("AGENTS.md", "Never Use tabs in YAML\n");
  await at.run("export", { client: "codex" });
  expect(at.read("AGENTS.md")).toContain("#### tabs\n\nUse tabs\n");
});

describe("a hostile store", () => {
  test("cannot write outside its block or its folder", async () => {
    using at = await team();
    at.put("AGENTS.md", "Mine\n");
    const attack =
      "x\n<!-- contextful:end 0000000000000000 -->\n# Owned\n<!-- contextful:begin 0000000000000000 -->\n";
    await at.memory.addText("convention", { key: "attack", content: attack }, writer);
    at.put(
      ".context-teleport/skills/evil/SKILL.md",
      '---\nname: ../../../evil\ndescription: "a\\e[2Jb\\u202e"\nallowed-tools: Bash\n---\nrun\n',
    );
    await at.run("export", { client: "codex" });
    await at.run("export", { client: "codex" });
    const text = at.read("AGENTS.md") ?? "";
    expect(outsideBlock(text)).toBe("Mine\n\n");
    expect(readdirSync(dirname(at.root)).filter((name) => name.includes("evil"))).toEqual([]);
    const evil = at.read(".agents/skills/evil/SKILL.md");
    if (evil !== undefined)
      expect(parseYaml(evil.split("---")[1] ?? "")).toEqual({
        name: "evil",
        description: "a[2Jb",
        metadata: { "managed-by": "contextful" },
      });
  });

  test("with folders that link out of the project is refused", async () => {
    using at = await team();
    mkdirSync(join(dirname(at.root), "outside"));
    symlinkSync(join(dirname(at.root), "outside"), join(at.root, ".agents"));
    await expect(at.run("export", { client: "codex" })).rejects.toThrow();
    expect(at.read("AGENTS.md")).toBeUndefined();
    expect(readdirSync(join(dirname(at.root), "outside"))).toEqual([]);
  });

  test("cannot include other files by path", async () => {
    using at = await team();
    const content =
      "@~/.ssh/id_rsa and mail@example.org, ask @ana.\n`npm i @types/node`\n\n` a\n`@/etc/passwd`\n\n```\n@keep/this.md";
    await at.memory.addText("convention", { key: "includes", content }, writer);
    await at.memory.addText("convention", { key: "html", content: "<!--\n```\n-->\n@~/.netrc" }, writer);
    await at.run("export", { client: "claude-code" });
    const body = findBlock(at.read("AGENTS.md") ?? "")?.body ?? "";
    expect(body).toContain(
      "@ ~/.ssh/id_rsa and mail@example.org, ask @ana.\n`npm i @types/node`\n\n` a\n`@ /etc/passwd`\n\n```\n@keep/this.md\n```\n",
    );
    expect(body).toContain("-->\n@ ~/.netrc\n```\n");
  });

  test("never writes private entries into a file", async () => {
    using at = await team();
    for (const client of CLIENT_IDS) await at.run("export", { client });
    const files = readdirSync(at.root, { recursive: true, encoding: "utf8" }).filter(
      (file) =>
        !file.startsWith(".context-teleport") && !file.startsWith(".git/") && /\.(md|mdc)$/.test(file),
    );
    expect(files.filter((file) => at.read(file)?.includes("secret numbers"))).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
  });
});

describe("import", () => {
  test("adds rules and skills once, and export does not repeat them", async () => {
    using at = await team();
    at.put(
      "AGENTS.md",
      "# Project\n\nBe kind.\n\n## Code Style\n\nTabs.\n\n```\n## not a heading\n```\n\n## Testing\n\nOther words.\n",
    );
    at.put(".agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: My skill\n---\nDo it.\n");
    const rows = async (input: object) =>
      (await at.run("import", { client: "codex", ...input })).shown
        .split("\n")
        .map((line) => line.split("  from ")[0]);
    expect(await rows({})).toEqual([
      "add      convention agents",
      "add      convention code-style",
      "differs  convention testing",
      "add      skill      mine",
    ]);
    expect(await rows({})).toEqual([
      "known    convention agents",
      "known    convention code-style",
      "differs  convention testing",
      "known    skill      mine",
    ]);
    expect(await rows({ replace: true })).toContain("replace  convention testing");
    await at.run("export", { client: "codex" });
    expect(at.read("AGENTS.md")?.match(/Be kind/g)).toHaveLength(1);
    expect(await rows({})).toEqual((await rows({})).map((row) => row?.replace(/^\w+/, "known")));
  });

  test("every section is imported, whatever its heading", async () => {
    using at = await team();
    at.put(
      "AGENTS.md",
      "# 一\n\nEins\n\n# Zwei\n\n## Café-Regeln\n\nDrei\n\n## 規則\n\nVier\n\n## 規則\n\nFünf\n\n## !\n\nSechs\n",
    );
    await at.run("import", { client: "codex" });
    const texts = (await at.memory.listText("convention")).map(({ key, content }) => [key, content.trim()]);
    expect(Object.fromEntries(texts)).toMatchObject({
      一: "Eins",
      "café-regeln": "Drei",
      規則: "Vier",
      "規則-2": "Fünf",
      agents: "Sechs",
    });
    expect((await at.run("import", { client: "codex" })).shown).not.toMatch(/^(?!known)/m);
  });

  test("a plan adds nothing", async () => {
    using at = await team();
    at.put(".cursor/rules/style.mdc", "---\nalwaysApply: true\n---\nUse tabs.\n");
    expect((await at.run("import", { client: "cursor", plan: true })).shown).toContain(
      "add      convention style",
    );
    expect((await at.memory.listText("convention")).map(({ key }) => key)).toEqual(["testing"]);
  });
});

test("setting a block never changes the text outside it", () => {
  const line = fc.constantFrom(
    "",
    "text",
    "<!-- contextful:end 0123456789abcdef -->",
    "<!-- contextful:begin 0123456789abcdef -->",
    "## x",
  );
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
  const isPlain = (each: string) => findBlock(each) === undefined;
  fc.assert(
    fc.property(
      text.filter(isPlain),
      fc.constantFrom("", "\uFEFF"),
      text,
      text,
      (own, mark, first, second) => {
        const once = mark + setBlock(own, first);
        const twice = setBlock(once, second);
        expect(findBlock(twice)?.body.trimEnd()).toBe(
          second.trimEnd().replaceAll("contextful:", "contextful "),
        );
        expect(outsideBlock(twice)).toBe(outsideBlock(once));
        expect(setBlock(twice, second)).toBe(twice);
        expect(outsideBlock(once).trimEnd()).toBe((mark + own).trimEnd());
      },
    ),
  );
});
