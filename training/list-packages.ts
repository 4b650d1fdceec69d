/**
 * Writes packages.tsv: which packages a model is trained on, by exact version and checksum. Run it to renew the list;
 * training itself only reads the list.   node scripts/run.mjs training/list-packages.ts
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceOptions } from "./apt-sources.ts";
import { EXCLUDED_LIST, isExcluded, LIST, readLines, type TrainingPackage } from "./packages.ts";
import { hashOf } from "./text.ts";

const SMALLEST = 4_000;
const NPM_NAMES = join("training", "npm-names.txt");
const LARGEST = 2_500_000;
const AT_ONCE = 24;
/** Debian's binary packages of these names hold sources. */
const SOURCE_IN_BINARY = /^(golang-.+-dev|librust-.+-dev|python3-.+|ruby-.+|php-.+|lua-.+|elixir-.+)$/;
/** Debian's source packages for languages whose binary packages are compiled. */
const SOURCE_PACKAGE =
  /^(.+-java|haskell-.+|lib[a-z0-9+.-]+(?<!-perl|-ocaml)|node-.+|scala.*|kotlin.*|elixir-.+|erlang-.+|.+-clojure|.+-sharp|mono-.+|log4net|nunit|ocaml-.+|lua-.+|php-.+|r-cran-.+)$/;
const LARGEST_SOURCE = 1_500_000;

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
  for (const { Package: name = "", Version: version = "", Architecture, Size, SHA256 } of stanzas(
    run("apt-cache", ["dumpavail"]),
  )) {
    const size = Number(Size);
    const isAnyMachine = Architecture === "all" || name.startsWith("librust-");
    if (!SOURCE_IN_BINARY.test(name) || !isAnyMachine || !(size >= SMALLEST && size <= LARGEST)) continue;
    // apt writes a version's colon like this.
    const file = `${name}_${version.replaceAll(":", "%3a")}_${Architecture}.deb`;
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
    .concat(readLines(NPM_NAMES).flatMap((line) => line.split(" ")));
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

/** One package in so many of a kind, by hash: few of these have a permissive licence. */
const ONE_IN: readonly (readonly [RegExp, number])[] = [[/^source\tr-cran-/, 4]];
const isChosen = (line: string): boolean => {
  const [, every = 1] = ONE_IN.find(([kind]) => kind.test(line)) ?? [];
  return hashOf(line.split("\t", 2).join("/")) % every === 0;
};

const rows = [...debianBinaries(), ...debianSources(), ...(await npmPackages())];
const write = (file: string, chosen: readonly TrainingPackage[]) => {
  const lines = chosen
    .map(({ origin, name, version, file, checksum }) => [origin, name, version, file, checksum].join("\t"))
    .filter(isChosen)
    .sort();
  writeFileSync(file, `# origin\tname\tversion\tfile\tchecksum\n${lines.join("\n")}\n`);
  process.stdout.write(`${file}: ${lines.length} packages\n`);
};
write(
  LIST,
  rows.filter(({ name }) => !isExcluded(name)),
);
write(
  EXCLUDED_LIST,
  rows.filter(({ name }) => isExcluded(name)),
);
