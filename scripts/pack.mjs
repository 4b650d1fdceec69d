// Packs what users get: npm run pack [DIRECTORY]. Prints the tarball's path.
// Scripts and development dependencies stay out: npm warns about a `prepare` that has nothing to build.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "./toolbox.mjs";

export function pack(destination) {
  const stage = mkdtempSync(join(tmpdir(), "contextful-pack-"));
  try {
    const {
      scripts: _scripts,
      devDependencies: _dev,
      overrides: _overrides,
      allowScripts: _allowScripts,
      ...published
    } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    for (const name of [...published.files, "README.md", "LICENSE", "CHANGELOG.md"]) {
      cpSync(join(repository, name), join(stage, name), { recursive: true });
    }
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", resolve(destination)];
    const { status, stdout, stderr } = spawnSync("npm", args, { cwd: stage, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm pack ended with ${status}:\n${stderr}`);
    const [{ filename, size, unpackedSize }] = JSON.parse(stdout);
    return { tarball: join(resolve(destination), filename), size, unpackedSize };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(pack(process.argv[2] ?? ".").tarball);
