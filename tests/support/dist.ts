import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const builds = join(repository, "node_modules", ".cache", "contextful", "builds");
let built: Promise<string> | undefined;

/**
 * The path of a `bin.js` built from the current sources; run it with `process.execPath`.
 * Built once per state of the sources. Tests that ask at the same time build too, and all use the build that finishes first.
 */
export function builtBinary(): Promise<string> {
  built ??= build();
  return built;
}

/** Before files run at the same time, so that they do not build at the same time. */
export async function setup(): Promise<void> {
  await builtBinary();
}

async function build(): Promise<string> {
  const home = join(builds, hashOfSources());
  const binary = join(home, "dist", "bin.js");
  if (!existsSync(binary)) {
    mkdirSync(builds, { recursive: true });
    const draft = mkdtempSync(join(builds, "draft-"));
    // Some tests run it as another user.
    chmodSync(draft, 0o755);
    writeFileSync(join(draft, "package.json"), readFileSync(join(repository, "package.json")));
    await bundle(join(draft, "dist")).catch((thrown: unknown) => {
      rmSync(draft, { recursive: true, force: true });
      throw thrown;
    });
    for (const folder of ["models", "packages"]) {
      symlinkSync(join(repository, folder), join(draft, folder), "junction");
    }
    try {
      renameSync(draft, home);
    } catch {
      // Another process finished the same build first.
      rmSync(draft, { recursive: true, force: true });
    }
    removeOldBuilds();
  }
  utimesSync(home, new Date(), new Date());
  return binary;
}

const bundle = (outDir: string) =>
  new Promise<void>((resolve, reject) => {
    const tsdown = join(repository, "node_modules", "tsdown", "dist", "run.mjs");
    const child = spawn(process.execPath, [tsdown, "--out-dir", outDir, "--no-dts", "--log-level", "error"], {
      cwd: repository,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`The build failed:\n${said}`))));
  });

function hashOfSources(): string {
  const hash = createHash("sha256");
  const files = readdirSync(join(repository, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|scm|json|wasm|html|css|svg)$/.test(file) && !file.endsWith(".test.ts"))
    .map((file) => join("src", file))
    .sort();
  for (const file of [...files, "package.json", "tsdown.config.ts", "scripts/bundle-page.ts"]) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(repository, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** Removes builds unused for an hour; other test runs may still use newer ones. */
function removeOldBuilds(): void {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
