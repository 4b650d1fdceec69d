// Checks that a tag, the versions in the manifests and the changelog agree; prints the changelog's section.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./toolbox.mjs";

const text = (file) => readFileSync(join(repository, file), "utf8");
const json = (file) => JSON.parse(text(file));

const wanted = (process.argv[2] ?? "").replace(/^v/, "");
const versions = {
  "package.json": json("package.json").version,
  "package-lock.json": json("package-lock.json").version,
  "server.json": json("server.json").version,
  "server.json, packages": json("server.json").packages[0].version,
  ".claude-plugin/plugin.json": json(".claude-plugin/plugin.json").version,
  "mcpb/manifest.json": json("mcpb/manifest.json").version,
};
const wrong = Object.entries(versions).filter(([, version]) => version !== wanted);
const sections = text("CHANGELOG.md").split(/^## /m).slice(1);
const notes = sections.find((section) => section.split(/[\s,]/, 1)[0] === wanted);

for (const [file, version] of wrong) console.error(`${file} says ${version}, the tag says ${wanted}.`);
if (notes === undefined) console.error(`CHANGELOG.md has no section "## ${wanted}".`);
if (wrong.length > 0 || notes === undefined) process.exit(1);
console.log(notes.split("\n").slice(1).join("\n").trim());
