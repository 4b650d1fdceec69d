import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sourceOptions } from "./apt-sources.ts";
import type { TrainingPackage } from "./packages.ts";

const BATCH = 100;
const AT_ONCE = 16;
const run = promisify(execFile);

/** Scoped packages of npm may share a file name. */
export const archiveOf = (directory: string, { origin, name, file }: TrainingPackage) =>
  join(directory, origin, name.includes("/") ? `${name.split("/", 1)[0]}+${file}` : file);

/** Fetches what is not there yet and returns the packages that could not be had or differ from their checksum. */
export async function download(
  packages: readonly TrainingPackage[],
  directory: string,
  tell: (done: number) => void,
): Promise<TrainingPackage[]> {
  for (const origin of ["deb", "source", "npm"]) mkdirSync(join(directory, origin), { recursive: true });
  const wanted = packages.filter((entry) => !existsSync(archiveOf(directory, entry)));
  let done = packages.length - wanted.length;
  const told = (count: number) => {
    done += count;
    tell(done);
  };
  const of = (origin: string) => wanted.filter((entry) => entry.origin === origin);
  await debian(of("deb"), join(directory, "deb"), ["download"], told);
  if (of("source").length > 0) {
    const options = sourceOptions(mkdtempSync(join(tmpdir(), "training-apt-")));
    await run("apt-get", ["update", "-qq", ...options]);
    const command = ["source", "--download-only", "--tar-only", "-qq", ...options];
    await debian(of("source"), join(directory, "source"), command, told);
  }
  await npm(of("npm"), directory, told);
  return packages.filter((entry) => !isWhole(archiveOf(directory, entry), entry.checksum));
}

function isWhole(file: string, checksum: string): boolean {
  if (!existsSync(file)) return false;
  const content = readFileSync(file);
  if (checksum.startsWith("sha256:"))
    return checksum === `sha256:${createHash("sha256").update(content).digest("hex")}`;
  return checksum.split(" ").includes(`sha512-${createHash("sha512").update(content).digest("base64")}`);
}

/** One package that is gone fails a whole batch, so a batch that fails is tried package by package. */
async function debian(
  packages: readonly TrainingPackage[],
  cwd: string,
  command: readonly string[],
  told: (count: number) => void,
): Promise<void> {
  const fetchAll = (batch: readonly TrainingPackage[]) =>
    run("apt-get", [...command, ...batch.map(({ name, version }) => `${name}=${version}`)], {
      cwd,
      maxBuffer: 1 << 26,
    });
  for (let at = 0; at < packages.length; at += BATCH) {
    const batch = packages.slice(at, at + BATCH);
    try {
      await fetchAll(batch);
    } catch {
      for (const entry of batch) await fetchAll([entry]).catch(() => {});
    }
    told(batch.length);
  }
}

async function npm(packages: readonly TrainingPackage[], directory: string, told: (count: number) => void) {
  if (packages.length === 0) return;
  const registry = (await run("npm", ["config", "get", "registry"])).stdout.trim().replace(/\/$/, "");
  const queue = [...packages];
  const worker = async () => {
    for (let entry = queue.pop(); entry; entry = queue.pop()) {
      const answer = await fetch(`${registry}/${entry.name}/-/${entry.file}`).catch(() => undefined);
      if (answer?.ok) writeFileSync(archiveOf(directory, entry), Buffer.from(await answer.arrayBuffer()));
      told(1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
