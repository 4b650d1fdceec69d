import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSecrets } from "../../src/core/hygiene/index.ts";
import { openProject } from "../support/code-project.ts";
import { MISSED_BEFORE, REAL_SECRETS } from "../support/made-up-secrets.ts";
import { documentsProject } from "./documents-project.ts";

/** All bytes of every file under a directory, as text without case. */
const everythingIn = (directory: string): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => readFileSync(join(item.parentPath, item.name)).toString("latin1").toLowerCase())
    .join("\n");

const texts = [...REAL_SECRETS, ...MISSED_BEFORE].map(([, text]) => text);
const all = texts.join("\n\n");
const hidden = all.replaceAll(/(?<=\w{4})(?=\w{8})/g, "\u200b");
const secrets = findSecrets(all).flatMap(({ start, end }) =>
  all
    .slice(start, end)
    .split("\n")
    .filter((line) => line.length >= 6 && !line.startsWith("-----")),
);

test("no secret that results redact is in the index, in any case", async () => {
  // Each in a comment, a text and a document, and in a document of all of them.
  await using project = openProject({
    ...Object.fromEntries(
      texts.map((text, at) => [
        `f${at}.ts`,
        `/* canary${at}\n${text}\n*/\nexport const canary${at} = String.raw\`\n${text}\n\`;\n`,
      ]),
    ),
    "notes.md": all,
    "hidden.md": hidden,
  });
  await project.index();
  expect((await project.search("canary1")).results.length).toBeGreaterThan(0);
  const stored = everythingIn(project.data.directory);
  expect(stored).toContain("canary1");
  expect(secrets.length).toBeGreaterThan(150);
  expect(secrets.filter((secret) => stored.includes(secret.toLowerCase()))).toEqual([]);
});

test("no secret that results redact is in the database of documents, in any case", async () => {
  await using place = documentsProject({
    embedding: { provider: "disabled" },
    connectors: { filesystem: { d: { root: "d", include: ["**/*"] } } },
  });
  for (const [at, text] of texts.entries()) place.write(`d/f${at}.md`, `# canary${at}\n\n${text}\n`);
  place.write("d/all.txt", all);
  place.write("d/hidden.md", hidden);
  place.write("d/page.html", `<title>canary</title><p>${texts.join("</p><p>")}</p>`);
  await place.sync();
  const stored = everythingIn(place.machine.home);
  expect(stored).toContain("canary1");
  expect(secrets.filter((secret) => stored.includes(secret.toLowerCase()))).toEqual([]);
});
