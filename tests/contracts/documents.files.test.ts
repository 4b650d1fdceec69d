import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentsProject, FILES, reasons } from "./documents-project.ts";

describe("files", () => {
  test("links are not followed, and only regular files are read", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/real.md", "heron");
    project.write("outside/secret.md", "heron secret");
    symlinkSync(join(project.root, "outside"), join(project.root, "docs", "linked"));
    symlinkSync(join(project.root, "outside", "secret.md"), join(project.root, "docs", "link.md"));
    symlinkSync(join(project.root, "docs"), join(project.root, "docs", "loop"));
    execFileSync("mkfifo", [join(project.root, "docs", "pipe.md")]);
    const [report] = await project.sync();
    expect([report?.found, await project.found("heron")]).toEqual([1, ["real.md"]]);
  });

  test("a README is titled by its first heading, other files by their name", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/README.md", "[badge]\n\n# The **heron** shop\n\nheron\n");
    project.write("docs/logo/readme.md", "# ![logo](heron.png)\n\nheron\n");
    const page = "<div>Contents</div>\n\n<h1 align=center><code>nest</code></h1>\n";
    project.write("docs/html/readme.md", `${page}\n\`\`\`sh\n# heron: a comment\n\`\`\`\n`);
    project.write("docs/guide.md", "# Guide\n\nheron\n");
    await project.sync();
    const answer = await project.call("context.search", { query: "heron" });
    expect(
      JSON.stringify(answer)
        .match(/"title":"[^"]*"/g)
        ?.sort(),
    ).toEqual(['"title":"The heron shop"', '"title":"guide.md"', '"title":"nest"', '"title":"readme.md"']);
  });

  test("secret files and dependency directories are never read", async () => {
    await using project = documentsProject({
      connectors: { filesystem: { docs: { root: ".", include: ["**"] } } },
    });
    for (const path of [
      ".env",
      "deploy/id_rsa",
      "tls.pem",
      ".git/config",
      "node_modules/a/readme.md",
      ".npmrc",
    ]) {
      project.write(path, "heron");
    }
    project.write("readme.md", "heron");
    const [report] = await project.sync();
    expect([report?.found, await project.found("heron")]).toEqual([1, ["readme.md"]]);
  });

  test("a secret in a text never reaches the store", async () => {
    await using project = documentsProject(FILES);
    const secret = ["ghp", "_", "x7Kq2mPz9RtV4wYb8NcD1fGh3JkL5sQa6EuT"].join("");
    project.write(
      "docs/a.md",
      `---\ntitle: Keys\nnote: ${secret}\n---\nThe heron's token is ${secret} today.`,
    );
    await project.sync();
    const [hit] = await project.search("heron");
    const document = await project.get(hit?.id ?? "");
    expect(JSON.stringify([hit, document])).not.toContain(secret);
    expect(document.body).toContain("[redacted");
  });

  test("a file rewritten within the same second, or restored with an older time, is noticed", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/a.md", "heron", "2026-01-05T00:00:00Z");
    await project.sync();
    project.write("docs/a.md", "stork", "2026-01-05T00:00:00Z");
    await project.sync();
    const stork = await project.found("stork");
    project.write("docs/a.md", "ibis!", "2020-01-01T00:00:00Z");
    await project.sync();
    expect([stork, await project.found("ibis"), await project.found("heron")]).toEqual([
      ["a.md"],
      ["a.md"],
      [],
    ]);
  });

  test("if a directory cannot be read, nothing counts as deleted", async () => {
    if (process.getuid?.() === 0) return; // For root every directory can be read.
    await using project = documentsProject(FILES);
    project.write("docs/open.md", "heron");
    project.write("docs/closed/in.md", "stork");
    await project.sync();
    const closed = join(project.root, "docs", "closed");
    chmodSync(closed, 0o000);
    const [report] = await project.sync();
    chmodSync(closed, 0o755);
    expect([report?.status, report?.complete, await project.found("stork")]).toEqual([
      "partial",
      false,
      ["closed/in.md"],
    ]);
  });

  test("a file in a directory that cannot be entered fails alone and does not count as deleted", async () => {
    await using project = documentsProject(FILES);
    const docs = join(project.root, "docs");
    project.write("docs/open.md", "heron");
    project.write(`docs/a/${"b".repeat(200)}/${"c".repeat(50)}.md`, "stork");
    await project.sync();
    // Works for root too: the name is too long for stat, but the directory can be listed.
    const names = Array.from({ length: 18 }, () => "d".repeat(200));
    const deep = join(docs, ...names, "d".repeat(4_080 - docs.length - 18 * 201 - 205));
    mkdirSync(deep, { recursive: true });
    renameSync(join(docs, "a", "b".repeat(200)), join(deep, "b".repeat(200)));
    const [report] = await project.sync();
    renameSync(join(deep, "b".repeat(200)), join(project.root, "b"));
    expect([report?.status, report?.failed, await project.found("heron")]).toEqual([
      "partial",
      1,
      ["open.md"],
    ]);
  });

  test("unreadable files are reported every time, and the rest is read", async () => {
    await using project = documentsProject({
      connectors: { filesystem: { docs: { root: "docs", include: ["**"], max_extract_bytes: 2_000 } } },
    });
    project.write("docs/good.md", "heron");
    project.write("docs/latin1.txt", Buffer.from([0x63, 0xe9]));
    project.write("docs/broken.pdf", "%PDF-1.4 nothing");
    project.write("docs/large.txt", "x".repeat(2_001));
    project.write("docs/bomb.docx", "PK\u0003\u0004 no");
    for (const _ of [1, 2]) {
      const [report] = await project.sync();
      expect([report?.status, report?.skipped, reasons(report)]).toEqual([
        "ok",
        4,
        {
          "bomb.docx": "not a readable office file",
          "broken.pdf": expect.stringContaining("not a readable PDF"),
          "large.txt": "larger than 2000 bytes",
          "latin1.txt": "not text: neither UTF-8 nor UTF-16",
        },
      ]);
    }
    expect(await project.found("heron")).toEqual(["good.md"]);
  });

  test("a file of 100 MB is skipped without being read", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/huge.txt", "");
    truncateSync(join(project.root, "docs", "huge.txt"), 100_000_000);
    const [report] = await project.sync();
    expect(reasons(report)).toEqual({ "huge.txt": "larger than 50000000 bytes" });
  });

  test("a document that becomes unreadable is removed", async () => {
    await using project = documentsProject(FILES);
    project.write("docs/a.md", "heron");
    await project.sync();
    project.write("docs/a.md", Buffer.from([0xff, 0x00]));
    await project.sync();
    expect(await project.found("heron")).toEqual([]);
  });

  test("files of any name are found, and an answer names them without control characters", async () => {
    await using project = documentsProject(FILES);
    const names = ["--help.md", "$(id).md", "new\nline.md", "E\u0301.md", "\u00c9.md", "\u001b[2J.md"];
    for (const name of names) project.write(`docs/${name}`, "heron");
    await project.sync();
    expect(await project.found("heron")).toEqual(names.map((name) => name.replace("\u001b", "")).sort());
  });
});

test("file times become document times", async () => {
  await using project = documentsProject(FILES);
  project.write("docs/a.md", "heron");
  utimesSync(join(project.root, "docs", "a.md"), 1767225600, 1767225600);
  await project.sync();
  expect((await project.search("heron"))[0]?.updated_at).toBe("2026-01-01T00:00:00Z");
});
