/**
 * Trains the quick model from packages.tsv: npm run train [-- --work DIRECTORY] [--only STEP] [--shards 0-31]
 * [--held-out DIRECTORY]... Every step keeps its result in the work directory and resumes there.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sha256 } from "../src/core/hash.ts";
import { download } from "./download.ts";
import { encode } from "./encode.ts";
import { askTable, comparisonTable } from "./evaluate.ts";
import { HeldOutContent } from "./held-out.ts";
import { mine, SHARDS } from "./mine.ts";
import { EXCLUDED_LIST, readPackages } from "./packages.ts";
import { mixed, packTable, unpackTable } from "./table.ts";

const DIMS = 384;
/** How much of the start stays in the table. It knows prose better; code loses nothing with this little of it. */
const START_SHARE = 0.25;
const { values: options } = parseArgs({
  options: {
    work: { type: "string", default: ".tmp/training" },
    only: { type: "string" },
    shards: { type: "string", default: `0-${SHARDS - 1}` },
    /** Checkouts whose content must not be trained on. */
    "held-out": { type: "string", multiple: true, default: [] },
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
    const missing = await download(
      [...packages, ...readPackages(EXCLUDED_LIST)],
      inWork("archives"),
      (done) => say(`download ${done}/${packages.length}`),
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
  async exclude() {
    if (existsSync(inWork("excluded.u32"))) return;
    const content = new HeldOutContent();
    for (const directory of options["held-out"]) await content.addCheckouts(directory);
    await content.addPackages(readPackages(EXCLUDED_LIST), inWork("archives"));
    writeFileSync(inWork("excluded.u32"), Uint32Array.from(content.hashes));
    say(`exclude: ${content.hashes.size} questions and codes`);
  },
  encode() {
    const heldOut = new Set(new Uint32Array(new Uint8Array(readFileSync(inWork("excluded.u32"))).buffer));
    const encoded = encode(work, join("models", "vocab.txt"), heldOut);
    writeFileSync(inWork("encoded.json"), JSON.stringify(encoded));
    say(
      `encode: ${encoded.train} pairs to train on, ${encoded.dev} to steer by, in ${encoded.languages.join(", ")}`,
    );
  },
  train() {
    if (!existsSync(inWork("distilled.bin")))
      execFileSync("node", ["scripts/run.mjs", "scripts/build-model.ts", work]);
    const start = unpackTable(readFileSync(inWork("distilled.bin")), DIMS);
    writeFileSync(inWork("init.f32"), new Uint8Array(start.values.buffer));
    compileTrainer(inWork("train"));
    const settings = {
      train: inWork("train.bin"),
      dev: inWork("dev.bin"),
      init: inWork("init.f32"),
      out: inWork("table.f32"),
      rows: start.rows,
      dims: DIMS,
      languages: languages().join(","),
    };
    const all = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const { status } = spawnSync(inWork("train"), [...all, ...options.settings.split(" ")], {
      stdio: "inherit",
    });
    if (status !== 0) throw new Error(`The trainer ended with ${status}.`);
  },
  pack() {
    const values = mixed(readFloats(inWork("table.f32")), readFloats(inWork("init.f32")), START_SHARE);
    const packed = packTable({ rows: values.length / DIMS, dims: DIMS, values });
    writeFileSync(inWork("static.bin"), packed);
    copyFileSync(inWork("packages.txt"), inWork("TRAINED-ON.txt"));
    say(`pack: ${inWork("static.bin")}, sha256 ${sha256(packed)}`);
  },
  /** The new table against the start, which is the better one for plain prose, and against the shipped one. */
  evaluate() {
    if (!existsSync(inWork("train"))) compileTrainer(inWork("train"));
    const run = {
      trainer: inWork("train"),
      dev: inWork("dev.bin"),
      languages: languages(),
      dims: DIMS,
      scratch: inWork,
    };
    const trained = askTable(inWork("static.bin"), run);
    for (const before of [inWork("distilled.bin"), join("models", "static.bin")]) {
      process.stdout.write(`\n${before} → ${inWork("static.bin")}\n`);
      process.stdout.write(`${comparisonTable(askTable(before, run), trained)}\n`);
    }
  },
};

const readFloats = (file: string) => new Float32Array(new Uint8Array(readFileSync(file)).buffer);

const languages = (): readonly string[] => JSON.parse(readFileSync(inWork("encoded.json"), "utf8")).languages;

const compileTrainer = (to: string) =>
  execFileSync("gcc", ["-O3", "-march=x86-64-v3", join("training", "train.c"), "-o", to, "-lm"]);

mkdirSync(work, { recursive: true });
for (const [name, step] of Object.entries(STEPS)) {
  if (options.only === undefined || options.only.split(",").includes(name)) await step();
}
