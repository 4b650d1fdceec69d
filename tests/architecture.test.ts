import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const typescriptUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));
const files = typescriptUnder("src");
const imports = files.flatMap((from) =>
  [...readFileSync(from, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => ({
    from,
    to: normalize(join(dirname(from), match[1] ?? "")).replaceAll("\\", "/"),
  })),
);
const RANK = {
  core: 0,
  capabilities: 1,
  surfaces: 2,
  app: 3,
  process: 3,
  library: 4,
  bin: 4,
  index: 4,
} as const;
const layer = (file: string) => (file.split("/")[1] ?? "").replace(/\.ts$/, "") as keyof typeof RANK;
const room = (file: string) => file.split("/")[2];
/** A file directly in `surfaces/`: all surfaces use it, and it imports none of them. */
const isShared = (file: string) => /^src\/surfaces\/[^/]+\.ts$/.test(file);
const isTest = (file: string) => file.endsWith(".test.ts");
const shipped = imports.filter(({ from }) => !isTest(from));

test("imports point down: surfaces → capabilities → core", () => {
  expect(imports.length).toBeGreaterThan(0);
  expect(files.filter((file) => !(layer(file) in RANK))).toEqual([]);
  expect(shipped.filter(({ from, to }) => RANK[layer(to)] > RANK[layer(from)])).toEqual([]);
});

test("nothing sideways: rooms and surfaces do not import each other", () => {
  const isSideways = (from: string, to: string) =>
    ["capabilities", "surfaces"].includes(layer(from)) &&
    layer(from) === layer(to) &&
    room(from) !== room(to) &&
    !isShared(to) &&
    files.includes(to); // Tests quote imports of projects they make up.
  expect(imports.filter(({ from, to }) => isSideways(from, to))).toEqual([]);
});

test("outsiders enter a room by its door", () => {
  const isBackDoor = ({ from, to }: { from: string; to: string }) =>
    layer(to) === "capabilities" &&
    !to.endsWith("/index.ts") &&
    (layer(from) !== "capabilities" || room(from) !== room(to));
  expect(shipped.filter(isBackDoor)).toEqual([]);
});

test("shipped code imports nothing from tests, and tests replace none of our modules", () => {
  expect(shipped.filter(({ to }) => isTest(to) || to.startsWith("tests/"))).toEqual([]);
  const mock = new RegExp(["vi", "(mock|doMock)\\("].join("\\."));
  expect(
    [...files, ...typescriptUnder("tests")].filter((file) => mock.test(readFileSync(file, "utf8"))),
  ).toEqual([]);
});

test("time limits come from core/deadline: AbortSignal.timeout loses its limit to the garbage collector", () => {
  const bare = /AbortSignal\s*\.\s*timeout\(/;
  expect(files.filter((file) => bare.test(readFileSync(file, "utf8")))).toEqual([]);
});
