import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const typescriptUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file).replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file));
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
  main: 4,
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

test("other code imports a room only through its index.ts", () => {
  const isInternalFile = ({ from, to }: { from: string; to: string }) =>
    layer(to) === "capabilities" &&
    !to.endsWith("/index.ts") &&
    (layer(from) !== "capabilities" || room(from) !== room(to));
  expect(shipped.filter(isInternalFile)).toEqual([]);
});

test("shipped code imports nothing from tests, and tests replace none of our modules", () => {
  expect(shipped.filter(({ to }) => isTest(to) || to.startsWith("tests/"))).toEqual([]);
  const mock = new RegExp(["vi", "(mock|doMock)\\("].join("\\."));
  expect(
    [...files, ...typescriptUnder("tests")].filter((file) => mock.test(readFileSync(file, "utf8"))),
  ).toEqual([]);
});

test("time limits come from core/deadline: the garbage collector can drop AbortSignal.timeout", () => {
  const bare = /AbortSignal\s*\.\s*timeout\(/;
  expect(files.filter((file) => bare.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("every room has its index.ts and its tools.ts", () => {
  const rooms = new Set(files.filter((file) => layer(file) === "capabilities").map(room));
  const expected = [...rooms].flatMap((name) =>
    ["index.ts", "tools.ts"].map((file) => `src/capabilities/${name}/${file}`),
  );
  expect(rooms.size).toBeGreaterThan(0);
  expect(expected.filter((file) => !files.includes(file))).toEqual([]);
});

test("type names are unique in the project", () => {
  const declared = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(
          /^(?:export )?(?:interface|type|(?:abstract )?class) ([A-Z]\w*)/gm,
        ),
      ].map(([, name = ""]) => ({ name, file })),
    );
  const filesOf = new Map<string, string[]>();
  for (const { name, file } of declared) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  expect(filesOf.size).toBeGreaterThan(0);
  expect([...filesOf].filter(([, found]) => found.length > 1)).toEqual([]);
});

test("what a file exports, another file uses", () => {
  const others = ["tests", "scripts", "eval", "training"].flatMap(typescriptUnder);
  const words = new Map(
    [...files, ...others].map((file) => [file, new Set(readFileSync(file, "utf8").match(/[A-Za-z_]\w*/g))]),
  );
  const isUsed = (name: string, file: string) =>
    [...words].some(([other, known]) => other !== file && known.has(name));
  const exported = files
    .filter((file) => !isTest(file) && !/^src\/(?:index\.ts|library\/)/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(
          /^export (?:async )?(?:abstract )?(?:const|function\*?|class|interface|type) (\w+)/gm,
        ),
      ].map(([, name = ""]) => ({ file, name })),
    );
  expect(exported.length).toBeGreaterThan(0);
  expect(exported.filter(({ file, name }) => !isUsed(name, file))).toEqual([]);
});

/** The style guide says "about 15"; this is where a folder has to be divided. */
const MAX_FILES = 18;

test("no folder has too many files", () => {
  const counts = new Map<string, number>();
  for (const file of files)
    if (!isTest(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});

test("opening the app loads no parser, database, search or git: a start must stay fast", () => {
  const BEHAVIOUR =
    /^src\/core\/(?:git|parse\/languages(?!\/names)|replica|scan|search\/(?:embedders\/static|index|sqlite-index)|store)\b/;
  const loaded = new Set(["src/app.ts"]);
  // A set also visits what is added while it is read.
  for (const from of loaded) for (const to of loadedWith(from)) loaded.add(to);
  expect(loaded.size).toBeGreaterThan(50);
  expect([...loaded].filter((file) => BEHAVIOUR.test(file))).toEqual([]);
});

/** The files that are loaded together with a file: not by `import()`, and not for types alone. */
const loadedWith = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)from\s+"(\.[^"]+)"/gm)]
    .filter(([, names = ""]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names))
    .map(([, , path = ""]) => normalize(join(dirname(file), path)).replaceAll("\\", "/"));
