/**
 * Writes packages.tsv: which packages a model is trained on, by exact version and checksum. Run it to renew the list;
 * training itself only reads the list.   node scripts/run.mjs training/list-packages.ts
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceOptions } from "./apt-sources.ts";
import { isExcluded, LIST, type TrainingPackage } from "./packages.ts";
import { hashOf } from "./text.ts";

const SMALLEST = 4_000;
const LARGEST = 1_500_000;
const AT_ONCE = 24;
/** Debian's binary packages of these names hold sources. */
const SOURCE_IN_BINARY = /^(golang-.+-dev|librust-.+-dev|python3-.+|ruby-.+|php-.+|lua-.+|elixir-.+)$/;
/** Debian's source packages for languages whose binary packages are compiled. */
const SOURCE_PACKAGE =
  /^(.+-java|haskell-.+|lib[a-z0-9+.-]+(?<!-perl|-clojure|-ocaml)|scala-.+|.+-sharp|mono-.+|log4net|nunit)$/;
const LARGEST_SOURCE = 900_000;

type Stanza = Readonly<Record<string, string>>;

function stanzas(text: string): Stanza[] {
  return text.split("\n\n").map((paragraph) => {
    const fields: Record<string, string> = {};
    let last = "";
    for (const line of paragraph.split("\n")) {
      if (line.startsWith(" ")) {
        fields[last] += `\n${line.trim()}`;
        continue;
      }
      const colon = line.indexOf(":");
      last = line.slice(0, colon);
      fields[last] = line.slice(colon + 1).trim();
    }
    return fields;
  });
}

const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "inherit"] });

function debianBinaries(): TrainingPackage[] {
  const newest = new Map<string, TrainingPackage>();
  for (const {
    Package: name = "",
    Version: version = "",
    Architecture,
    Size,
    SHA256,
    Filename = "",
  } of stanzas(run("apt-cache", ["dumpavail"]))) {
    const size = Number(Size);
    const isAnyMachine = Architecture === "all" || name.startsWith("librust-");
    if (!SOURCE_IN_BINARY.test(name) || !isAnyMachine || !(size >= SMALLEST && size <= LARGEST)) continue;
    const file = Filename.slice(Filename.lastIndexOf("/") + 1);
    newest.set(name, { origin: "deb", name, version, file, checksum: `sha256:${SHA256}` });
  }
  return [...newest.values()];
}

function debianSources(): TrainingPackage[] {
  const directory = mkdtempSync(join(tmpdir(), "training-apt-"));
  run("apt-get", ["update", "-qq", ...sourceOptions(directory)]);
  const lists = readdirSync(join(directory, "lists")).filter((name) => name.includes("_source_Sources"));
  const newest = new Map<string, TrainingPackage>();
  for (const list of lists) {
    const text = run("/usr/lib/apt/apt-helper", ["cat-file", join(directory, "lists", list)]);
    for (const { Package: name = "", Version: version = "", "Checksums-Sha256": sums = "" } of stanzas(
      text,
    )) {
      const [sha256 = "", size = "", file = ""] =
        sums
          .split("\n")
          .map((line) => line.split(" "))
          .find(([, , archive = ""]) => /\.orig\.tar\.(gz|xz|bz2)$/.test(archive)) ?? [];
      if (!SOURCE_PACKAGE.test(name) || !(Number(size) >= SMALLEST && Number(size) <= LARGEST_SOURCE))
        continue;
      newest.set(name, { origin: "source", name, version, file, checksum: `sha256:${sha256}` });
    }
  }
  return [...newest.values()];
}

/** Debian packages what many Node projects depend on: a list of npm names that somebody keeps. */
async function npmPackages(): Promise<TrainingPackage[]> {
  const registry = run("npm", ["config", "get", "registry"]).trim().replace(/\/$/, "");
  const names = run("apt-cache", ["pkgnames"])
    .split("\n")
    .filter((name) => name.startsWith("node-"))
    .map((name) => name.slice("node-".length))
    .concat(NPM_NAMES);
  const found: TrainingPackage[] = [];
  const queue = [...new Set(names)];
  const worker = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const answer = await fetch(`${registry}/${name.replace("/", "%2f")}/latest`).catch(() => undefined);
      if (!answer?.ok) continue;
      const { version, dist } = (await answer.json()) as {
        version: string;
        dist: { tarball: string; integrity?: string; unpackedSize?: number };
      };
      if (!dist.integrity || (dist.unpackedSize ?? 0) > LARGEST * 4) continue;
      const file = dist.tarball.slice(dist.tarball.lastIndexOf("/") + 1);
      found.push({ origin: "npm", name, version, file, checksum: dist.integrity });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found;
}

/** TypeScript projects and others that Debian does not package. */
const NPM_NAMES =
  "hono commander yargs zustand jotai valtio immer effect fp-ts io-ts runtypes superstruct valibot arktype kysely drizzle-orm knex objection mikro-orm sequelize mongoose typeorm fastify koa hapi polka micro h3 nitropack unstorage ofetch ky got undici node-fetch p-queue p-limit p-map rxjs date-fns dayjs luxon lodash-es ramda remeda radash nanoid uuid pino winston bunyan debug chalk picocolors ora inquirer enquirer prompts execa zx shelljs globby fast-glob micromatch picomatch chokidar esbuild rollup vite webpack parcel terser swc tsup tsdown unbuild typedoc ts-morph ts-node tsx jest mocha ava tape uvu sinon nock msw cheerio jsdom parse5 htmlparser2 marked markdown-it remark rehype unified mdast-util-from-markdown micromark gray-matter js-yaml yaml toml smol-toml ini dotenv convict ajv joi yup class-validator class-transformer inversify tsyringe awilix socket.io ws mqtt amqplib kafkajs ioredis pg mysql2 sqlite3 better-sqlite3 lmdb level nedb lokijs minisearch lunr fuse.js flexsearch d3 three pixi.js konva fabric chart.js echarts leaflet mapbox-gl svelte solid-js preact lit alpinejs stimulus htmx.org swiper formik react-hook-form graphql apollo-server graphql-yoga urql relay-runtime jose jsonwebtoken bcryptjs argon2 passport helmet cors morgan multer busboy formidable sharp jimp pdf-lib exceljs xlsx archiver tar fflate pako node-diff3 diff jsonc-parser vscode-languageserver vscode-jsonrpc prismjs highlight.js shiki codemirror monaco-editor prosemirror-state slate lexical quill yjs automerge peerjs simple-peer webtorrent ethers web3 viem bn.js big.js decimal.js mathjs ml-matrix".split(
    " ",
  );

/** One package in so many of a kind, by hash: the model gains little from more of a language it has seen enough of. */
const ONE_IN: readonly (readonly [RegExp, number])[] = [
  [/^deb\t(golang|librust|python3|ruby)-/, 4],
  [/^source\t(lib(?!.*-java)|haskell-)/, 4],
  [/^npm\t/, 2],
];
const isChosen = (line: string): boolean => {
  const [, every = 1] = ONE_IN.find(([kind]) => kind.test(line)) ?? [];
  return hashOf(line.split("\t", 2).join("/")) % every === 0;
};

const listed = [...debianBinaries(), ...debianSources(), ...(await npmPackages())]
  .filter(({ name }) => !isExcluded(name))
  .map(({ origin, name, version, file, checksum }) => [origin, name, version, file, checksum].join("\t"))
  .filter(isChosen)
  .sort();
writeFileSync(LIST, `# origin\tname\tversion\tfile\tchecksum\n${listed.join("\n")}\n`);
process.stdout.write(`${listed.length} packages\n`);
