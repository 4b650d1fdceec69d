import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveOf } from "./download.ts";
import { isLicenceFile, isPermissive, licenceOf } from "./licence.ts";
import { isRead, minePackage, type TrainingPair } from "./mine-package.ts";
import type { TrainingPackage } from "./packages.ts";
import { readArchive } from "./read-archive.ts";
import { hashOf } from "./text.ts";

/** One line of a shard: a package with its licence and its pairs. */
export interface MinedPackage {
  readonly package: string;
  readonly licence: string;
  readonly pairs: readonly TrainingPair[];
}

export const SHARDS = 64;
export const shardFile = (work: string, shard: number) =>
  join(work, "pairs", `${String(shard).padStart(2, "0")}.jsonl`);
/** First shard of each origin and how many: one origin can be mined while another is still downloaded. */
const SHARDS_OF = { deb: [0, 32], source: [32, 20], npm: [52, 12] } as const;
const shardOf = ({ origin, name }: TrainingPackage) => {
  const [first, count] = SHARDS_OF[origin];
  return first + (hashOf(`${origin}/${name}`) % count);
};

/** One package in so many is held out as a whole, to measure on; more of the kinds that we have few packages of. */
const HELD_OUT_EVERY = { common: 40, rare: 12 } as const;
export const isHeldOut = (name: string): boolean =>
  hashOf(name) %
    HELD_OUT_EVERY[/^(deb\/(golang|librust|python3|ruby)-|npm\/)/.test(name) ? "common" : "rare"] ===
  0;

export function* minedPackages(work: string): Generator<MinedPackage> {
  for (let shard = 0; shard < SHARDS; shard++) {
    if (!existsSync(shardFile(work, shard))) continue;
    for (const line of readFileSync(shardFile(work, shard), "utf8").split("\n")) {
      if (line !== "") yield JSON.parse(line);
    }
  }
}

/** Mines the packages of each shard into a file; a shard that is there already is kept. */
export async function mine(
  packages: readonly TrainingPackage[],
  work: string,
  shards: readonly number[],
  tell: (text: string) => void,
): Promise<void> {
  mkdirSync(join(work, "pairs"), { recursive: true });
  for (const shard of shards) {
    const file = shardFile(work, shard);
    if (existsSync(file)) continue;
    const lines: string[] = [];
    let pairs = 0;
    for (const entry of packages.filter((entry) => shardOf(entry) === shard)) {
      const mined = await mineArchive(entry, archiveOf(join(work, "archives"), entry), tell);
      if (!mined || mined.pairs.length === 0) continue;
      pairs += mined.pairs.length;
      lines.push(JSON.stringify(mined));
    }
    writeFileSync(`${file}.part`, `${lines.join("\n")}\n`);
    renameSync(`${file}.part`, file);
    tell(`mine: shard ${shard + 1} of ${SHARDS}, ${lines.length} packages, ${pairs} pairs`);
  }
}

async function mineArchive(
  { origin, name }: TrainingPackage,
  archive: string,
  tell: (text: string) => void,
): Promise<MinedPackage | undefined> {
  if (!existsSync(archive)) return undefined;
  try {
    const files = readArchive(archive, (path) => isRead(path) || isLicenceFile(path));
    const licence = licenceOf(files);
    if (!isPermissive(licence)) return undefined;
    return { package: `${origin}/${name}`, licence, pairs: await minePackage(files) };
  } catch (thrown) {
    tell(`mine: ${name}: ${thrown instanceof Error ? thrown.message.split("\n")[0] : String(thrown)}`);
    return undefined;
  }
}
