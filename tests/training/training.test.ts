import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
import { MODEL_FILES } from "../../src/core/search/embedders/model-files.ts";
import { encode } from "../../training/encode.ts";
import { comparisonTable, interval } from "../../training/evaluate.ts";
import { HeldOutContent } from "../../training/held-out.ts";
import { isPermissive, licenceOf } from "../../training/licence.ts";
import { isHeldOut, type MinedPackage, shardFile } from "../../training/mine.ts";
import { isMined, minePackage } from "../../training/mine-package.ts";
import { isExcluded, readPackages } from "../../training/packages.ts";
import { queryOf } from "../../training/query.ts";
import { packTable, unpackTable } from "../../training/table.ts";
import { tempDir } from "../support/temp-dir.ts";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

test.each([
  "golang-github-gin-gonic-gin-dev",
  "golang-github-spf13-cobra-dev",
  "golang-github-go-chi-chi-dev",
  "python3-flask",
  "python3-jinja2",
  "python3-requests",
  "librust-serde-dev",
  "librust-tokio+full-dev",
  "ruby-sinatra",
  "php-monolog",
  "libcommons-lang3-java",
  "haskell-aeson",
  "axios",
  "express",
  "redux",
  "vue",
])("%s is a repository of the benchmark and never trained on", (name) => {
  expect(isExcluded(name)).toBe(true);
});

test("the list names each package once, with a checksum, and none that is excluded", () => {
  const packages = readPackages();
  expect(packages.length).toBeGreaterThan(10_000);
  expect(new Set(packages.map(({ origin, name }) => `${origin}/${name}`)).size).toBe(packages.length);
  expect(packages.filter(({ checksum }) => !/^(sha256:[0-9a-f]{64}|sha512-.{86}==)/.test(checksum))).toEqual(
    [],
  );
  expect(packages.filter(({ name }) => isExcluded(name))).toEqual([]);
});

test.each([
  ["MIT", true],
  ["GPL-3+ or MIT", true],
  ["Apache-2.0 and GPL-2", false],
  ["LGPL-2.1+", false],
  ["unknown", false],
])("a package under %s is trained on: %s", (licence, expected) => {
  expect(isPermissive(licence)).toBe(expected);
});

test("a Debian package's licence is that of all its files", () => {
  const text = "Files: debian/*\nLicense: GPL-2\n\nFiles: *\nCopyright: someone\nLicense: Expat\n";
  expect(licenceOf([{ path: "./usr/share/doc/x/copyright", text }])).toBe("Expat");
});

test("a doc comment asks with its first sentence, without the name it documents", () => {
  expect(
    queryOf(
      "ParseHeader reads the header of a frame. It fails if the frame is cut off before its length.\n\n@param x",
      "ParseHeader",
    ),
  ).toEqual({
    query: "reads the header of a frame",
    rest: "It fails if the frame is cut off before its length",
    second: "It fails if the frame is cut off before its length",
  });
  expect(queryOf("TODO: write this down some day", "x")).toBeUndefined();
});

test("a function is mined without its docstring, and its doc asks for it", async () => {
  const text =
    'def load_settings(path):\n    """Read settings from a file on disk."""\n    return parse(open(path).read())\n';
  expect(await minePackage([{ path: "settings.py", text }])).toEqual([
    {
      kind: "doc",
      language: "python",
      name: "load_settings",
      query: "Read settings from a file on disk",
      rest: "",
      signature: "def load_settings(path)",
      code: "def load_settings(path):\n    \n    return parse(open(path).read())",
    },
  ]);
});

const LIBRARY = [
  {
    path: "src/frame.js",
    text: "export function parseFrameHeader(bytes) {\n  return { length: bytes[0], kind: bytes[1] };\n}\n",
  },
  {
    path: "README.md",
    text: "# frames\n\n## Reading from a socket\n\nBefore the body arrives, `parseFrameHeader` tells how many bytes will follow and of which kind they are.\n",
  },
  { path: "CHANGELOG.md", text: "- `parseFrameHeader` no longer fails on an empty buffer (#12)\n" },
  {
    path: "test/frame.test.js",
    text: 'it("reports the length of a frame that is cut off", () => {\n  parseFrameHeader([1]);\n});\n',
  },
];

test("a README's section, a changelog's line and a test's name ask for the code they name", async () => {
  const pairs = await minePackage(LIBRARY);
  expect(pairs.map(({ kind, name, query }) => ({ kind, name, query }))).toEqual([
    { kind: "section", name: "", query: "Reading from a socket" },
    {
      kind: "readme",
      name: "parseFrameHeader",
      query:
        "Reading from a socket: Before the body arrives, tells how many bytes will follow and of which kind they are.",
    },
    { kind: "change", name: "parseFrameHeader", query: "no longer fails on an empty buffer" },
    { kind: "test", name: "parseFrameHeader", query: "reports the length of a frame that is cut off" },
  ]);
});

test("what is said of parameters and of the result asks for the function", async () => {
  const text =
    "/**\n * Joins paths.\n * Joins some paths.\n * @param parts the segments to be put together\n * @returns one path without double slashes\n */\nexport function joinAll(parts) {\n  return parts.join('/');\n}\n";
  const pairs = await minePackage([{ path: "join.js", text }]);
  expect(pairs.filter(({ kind }) => kind === "parameters").map(({ query }) => query)).toEqual([
    "the segments to be put together; one path without double slashes",
  ]);
});

test("a copy of an excluded repository is not trained on, whatever its package is called", async () => {
  using directory = tempDir();
  const code = "export function spin(wheel) {\n  /* turn */ return wheel.turn(wheel.speed);\n}\n";
  const documented = `/** Turns the wheel once around its axle. */\n${code}`;
  mkdirSync(join(directory.path, "checkouts", "wheels"), { recursive: true });
  writeFileSync(join(directory.path, "checkouts", "wheels", "wheel.js"), documented);
  const content = new HeldOutContent();
  await content.addCheckouts(join(directory.path, "checkouts"));
  const copied = await minePackage([{ path: "lib/renamed.js", text: documented }]);
  expect(copied.length).toBe(1);
  const own = copied.map((pair) => ({
    ...pair,
    query: "another question",
    code: `${pair.code} // and another code`,
  }));
  writePackages(directory.path, [{ package: "npm/fork", licence: "MIT", pairs: [...copied, ...own] }]);
  expect(encode(directory.path, "models/vocab.txt", content.hashes)).toMatchObject({ train: 1, dev: 0 });
});

test("an interval is drawn from whole packages, because questions of one package are alike", () => {
  const alike = Array.from({ length: 100 }, (_, at) => ({
    key: at < 50 ? "a" : "b",
    value: at < 50 ? 0 : 1,
  }));
  const apart = alike.map(({ value }, at) => ({ key: String(at), value }));
  expect(interval(alike)).toEqual([0, 1]);
  const [low, high] = interval(apart);
  expect(low).toBeGreaterThan(0.35);
  expect(high).toBeLessThan(0.65);
});

test("two tables are compared question by question", () => {
  const answered = (score: number) =>
    Array.from({ length: 100 }, (_, at) => ({
      number: String(at),
      language: "go",
      kind: "doc",
      package: String(at % 10),
      score,
    }));
  expect(comparisonTable(answered(0.25), answered(0.5)).split("\n").at(-1)).toBe(
    "| go, doc | 10 | 100 | 0.250 | 0.500 | 0.250 | 0.250 |",
  );
});

test("a packed table unpacks to the same vectors but for a common factor", () => {
  const values = Float32Array.from({ length: 2_000 * 8 }, (_, at) => Math.sin(at));
  const once = unpackTable(packTable({ rows: 2_000, dims: 8, values }), 8);
  const again = unpackTable(packTable(once), 8);
  expect(again.values.every((value, at) => Math.abs(value - (once.values[at] ?? 0)) < 0.02)).toBe(true);
});

test("the shipped weights are those of model-files.ts", () => {
  expect(sha256(readFileSync("models/static.bin"))).toBe(MODEL_FILES["static.bin"]);
});

test.skipIf(!hasCompiler)("training on the same pairs gives the same bytes, and better answers", async () => {
  using directory = tempDir();
  const work = directory.path;
  const pairs = await ownPairs();
  expect(pairs.length).toBeGreaterThan(300);
  writeShards(work, pairs);
  const { languages } = encode(work, "models/vocab.txt", new Set());
  const dims = 32;
  const rows = 30_522;
  const start = Float32Array.from(
    { length: rows * dims },
    (_, at) => (Math.imul(at + 1, 2654435761) >>> 8) / 2 ** 24 - 0.5,
  );
  writeFileSync(join(work, "init.f32"), new Uint8Array(start.buffer));
  execFileSync("gcc", ["-O3", "-march=x86-64-v3", "training/train.c", "-o", join(work, "train"), "-lm"]);
  const run = (out: string) =>
    execFileSync(
      join(work, "train"),
      [
        `train=train.bin`,
        "dev=dev.bin",
        "init=init.f32",
        `out=${out}`,
        `rows=${rows}`,
        `dims=${dims}`,
        "batch=128",
        "epochs=10",
        "rate=0.02",
        `languages=${languages.join(",")}`,
      ],
      { cwd: work, encoding: "utf8" },
    );
  const said = run("one.f32");
  run("two.f32");
  expect(sha256(readFileSync(join(work, "two.f32")))).toBe(sha256(readFileSync(join(work, "one.f32"))));
  const [before = 0, ...after] = [...said.matchAll(/first sentence: ([\d.]+)/g)].map(([, figure]) =>
    Number(figure),
  );
  expect(after.at(-1)).toBeGreaterThan(before);
});

/** Pairs of this project's own sources. */
async function ownPairs() {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((path) => join("src", path))
    .filter((path) => isMined(path) && !path.endsWith(".d.ts"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
  return minePackage(files);
}

/** Half of the pairs to train on and half to measure on: here only the trainer is tested. */
function writeShards(work: string, pairs: MinedPackage["pairs"]): void {
  expect([TRAINED, HELD_OUT].map(isHeldOut)).toEqual([false, true]);
  const half = (rest: number) => pairs.filter((_, at) => at % 2 === rest);
  writePackages(work, [
    { package: TRAINED, licence: "Apache-2.0", pairs: half(0) },
    { package: HELD_OUT, licence: "Apache-2.0", pairs: half(1) },
  ]);
}

function writePackages(work: string, packages: readonly MinedPackage[]): void {
  mkdirSync(join(work, "pairs"), { recursive: true });
  writeFileSync(shardFile(work, 0), packages.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const TRAINED = "own/trained";
/** A name whose hash puts it among the held-out packages. */
const HELD_OUT = "own/held-out-5";
