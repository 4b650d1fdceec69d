/**
 * Trains the quick model from packages.tsv: npm run train [-- --work DIRECTORY] [--only STEP] [--shards 0-31]
 * [--held-out DIRECTORY]. Every step keeps its result in the work directory and resumes there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256 } from "../src/core/hash.ts";
import { download } from "./download.ts";
import { encode } from "./encode.ts";
import { heldOutHashes } from "./held-out.ts";
import { mine, SHARDS } from "./mine.ts";
import { readPackages } from "./packages.ts";
import { packTable, unpackTable } from "./table.ts";

const DIMS = 384;
const { values: options } = parseArgs({
  options: {
    work: { type: "string", default: ".tmp/training" },
    only: { type: "string" },
    shards: { type: "string", default: `0-${SHARDS - 1}` },
    /** Checkouts whose content must not be trained on. */
    "held-out": { type: "string" },
    /** Further settings of the trainer, such as `epochs=1 rate=0.005`. */
    settings: { type: "string", default: "" },
  },
});
const { work } = options;
const inWork = (name: string) => join(work, name);
const say = (text: string) => void process.stderr.write(`${text}\n`);

const STEPS: Readonly<Record<string, () => Promise<void> | void>> = {
  async download() {
    const packages = readPackages();
    const missing = await download(packages, inWork("archives"), (done) =>
      say(`download ${done}/${packages.length}`),
    );
    writeFileSync(
      inWork("missing.tsv"),
      missing.map(({ origin, name, version }) => `${origin}\t${name}\t${version}\n`).join(""),
    );
    say(
      `download: ${missing.length} of ${packages.length} packages are missing; ${inWork("missing.tsv")} names them`,
    );
  },
  async mine() {
    const [first = 0, last = SHARDS - 1] = options.shards.split("-").map(Number);
    await mine(
      readPackages(),
      work,
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
      say,
    );
  },
  async encode() {
    const heldOut = options["held-out"] ? await heldOutHashes(options["held-out"]) : new Set<number>();
    say(`encode: ${heldOut.size} hashes of held-out code`);
    const encoded = encode(work, join("models", "vocab.txt"), heldOut);
    writeFileSync(inWork("encoded.json"), JSON.stringify(encoded));
    say(
      `encode: ${encoded.train} pairs to train on, ${encoded.dev} to steer by, in ${encoded.languages.join(", ")}`,
    );
  },
  train() {
    const { languages } = JSON.parse(readFileSync(inWork("encoded.json"), "utf8"));
    if (!existsSync(inWork("distilled.bin")))
      execFileSync("node", ["scripts/run.mjs", "scripts/build-model.ts", work]);
    const start = unpackTable(readFileSync(inWork("distilled.bin")), DIMS);
    writeFileSync(inWork("init.f32"), new Uint8Array(start.values.buffer));
    execFileSync("gcc", [
      "-O3",
      "-march=x86-64-v3",
      join("training", "train.c"),
      "-o",
      inWork("train"),
      "-lm",
    ]);
    const settings = [
      `train=${inWork("train.bin")}`,
      `dev=${inWork("dev.bin")}`,
      `init=${inWork("init.f32")}`,
    ];
    const all = [
      ...settings,
      `out=${inWork("table.f32")}`,
      `rows=${start.rows}`,
      `dims=${DIMS}`,
      `languages=${languages.join(",")}`,
    ];
    const { status } = spawnSync(inWork("train"), [...all, ...options.settings.split(" ")], {
      stdio: "inherit",
    });
    if (status !== 0) throw new Error(`The trainer ended with ${status}.`);
  },
  pack() {
    const values = new Float32Array(new Uint8Array(readFileSync(inWork("table.f32"))).buffer);
    const packed = packTable({ rows: values.length / DIMS, dims: DIMS, values });
    writeFileSync(inWork("static.bin"), packed);
    copyFileSync(inWork("packages.txt"), inWork("TRAINED-ON.txt"));
    say(`pack: ${inWork("static.bin")}, sha256 ${sha256(packed)}`);
  },
};

mkdirSync(work, { recursive: true });
for (const [name, step] of Object.entries(STEPS)) {
  if (options.only === undefined || options.only.split(",").includes(name)) await step();
}
