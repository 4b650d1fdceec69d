import { Parser } from "htmlparser2";
import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../schema.ts";
import { goDirectives, goModuleName } from "./go-directives.ts";
import { PLAIN_MANIFESTS } from "./plain-manifests.ts";

export interface PackageManifest {
  readonly kind:
    | "npm"
    | "python"
    | "rust"
    | "go"
    | "maven"
    | "composer"
    | "gem"
    | "nuget"
    | "hex"
    | "cabal"
    | "gradle";
  readonly name: string;
  readonly description: string;
  /** "name version", development ones marked, in the manifest's order. */
  readonly dependencies: readonly string[];
  /** The `packageManager` field of a package.json, without its version. */
  readonly packageManager?: string;
  /** How its tests are run, if it says so. */
  readonly testCommand?: string;
}

/** Reads the manifests among a directory's files. Those that cannot be parsed are ignored. */
export function readManifests(texts: ReadonlyMap<string, string>): PackageManifest[] {
  return READERS.flatMap(([named, read]) =>
    [...texts].flatMap(([name, text]) => {
      if (!named.test(name)) return [];
      try {
        return [read(text, name)];
      } catch {
        return [];
      }
    }),
  );
}

export const isManifest = (name: string): boolean => READERS.some(([named]) => named.test(name));

export const manifestsAmong = (files: readonly { readonly name: string; readonly text: string }[]) =>
  readManifests(new Map(files.map(({ name, text }) => [name, text])));

const READERS: readonly (readonly [name: RegExp, read: (text: string, name: string) => PackageManifest])[] = [
  [/^package\.json$/, readPackageJson],
  [/^pyproject\.toml$/, readPyproject],
  [/^requirements\.txt$/, readRequirements],
  [/^Cargo\.toml$/, readCargo],
  [/^go\.mod$/, readGoMod],
  [/^pom\.xml$/, readPom],
  [/^composer\.json$/, readComposer],
  ...PLAIN_MANIFESTS,
];

function readPackageJson(text: string): PackageManifest {
  const json: unknown = JSON.parse(text);
  const test = textAt(json, "scripts", "test");
  const manager = textAt(json, "packageManager").split("@")[0] ?? "";
  return {
    kind: "npm",
    name: textAt(json, "name"),
    description: textAt(json, "description"),
    dependencies: [
      ...versions(at(json, "dependencies")),
      ...versions(at(json, "peerDependencies")),
      ...versions(at(json, "devDependencies")).map((dependency) => `${dependency} (dev)`),
    ],
    ...(manager !== "" && { packageManager: manager }),
    // npm's placeholder is not a test.
    ...(test !== "" && !test.includes("no test specified") && { testCommand: "test" }),
  };
}

function readPyproject(text: string): PackageManifest {
  const toml: unknown = parseToml(text);
  const project = at(toml, "project") ?? at(toml, "tool", "poetry");
  const listed = at(project, "dependencies");
  const dependencies = Array.isArray(listed)
    ? listed.flatMap((item) => (typeof item === "string" ? [requirement(item)] : []))
    : versions(listed).filter((dependency) => !dependency.startsWith("python "));
  const isPytest = at(toml, "tool", "pytest") !== undefined || text.includes("pytest");
  return {
    kind: "python",
    name: textAt(project, "name"),
    description: textAt(project, "description"),
    dependencies,
    ...(isPytest && { testCommand: "pytest" }),
  };
}

function readRequirements(text: string): PackageManifest {
  const lines = text.split("\n").map((line) => line.replace(/#.*$/, "").trim());
  return {
    kind: "python",
    name: "",
    description: "",
    dependencies: lines.filter((line) => /^[A-Za-z0-9]/.test(line)).map(requirement),
  };
}

function readCargo(text: string): PackageManifest {
  const toml: unknown = parseToml(text);
  return {
    kind: "rust",
    name: textAt(toml, "package", "name"),
    description: textAt(toml, "package", "description"),
    dependencies: [
      ...versions(at(toml, "dependencies")),
      ...versions(at(toml, "dev-dependencies")).map((dependency) => `${dependency} (dev)`),
    ],
    testCommand: "cargo test",
  };
}

function readGoMod(text: string): PackageManifest {
  const direct = text.split("\n").filter((line) => !line.includes("// indirect"));
  return {
    kind: "go",
    name: goModuleName(text),
    description: "",
    dependencies: goDirectives(direct.join("\n")).flatMap(([word, name = "", version = ""]) =>
      word === "require" ? [`${name} ${version}`] : [],
    ),
    testCommand: "go test ./...",
  };
}

/** Deeper nesting is hostile: the parser takes quadratic time for it. */
const MAX_POM_DEPTH = 100;

/** Values are read by path: those of plugins, profiles and managed dependencies are not the project's own. */
function readPom(text: string): PackageManifest {
  const own = new Map<string, string>();
  const dependencies: Map<string, string>[] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(name);
        if (open.length > MAX_POM_DEPTH) throw new Error("pom.xml is nested too deeply");
        if (open.join("/") === "project/dependencies/dependency") dependencies.push(new Map());
      },
      ontext(part) {
        const isDependency = open.length === 4 && open[1] === "dependencies" && open[2] === "dependency";
        const values = isDependency ? dependencies.at(-1) : open.length === 2 ? own : undefined;
        const field = open.at(-1) ?? "";
        values?.set(field, (values.get(field) ?? "") + part);
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(text);
  return {
    kind: "maven",
    name: pomValue(own, "name") || pomValue(own, "artifactId"),
    description: pomValue(own, "description"),
    dependencies: dependencies.map((each) =>
      `${pomValue(each, "groupId")}:${pomValue(each, "artifactId")} ${pomValue(each, "version")}`.trim(),
    ),
    testCommand: "mvn test",
  };
}

/** A computed value, such as `${project.version}`, says nothing as it stands. */
function pomValue(values: ReadonlyMap<string, string>, field: string): string {
  const value = values.get(field) ?? "";
  return value.includes("${") ? "" : value.replace(/\s+/g, " ").trim();
}

function readComposer(text: string): PackageManifest {
  const json: unknown = JSON.parse(text);
  return {
    kind: "composer",
    name: textAt(json, "name"),
    description: textAt(json, "description"),
    dependencies: versions(at(json, "require")).filter((each) => each.includes("/")),
    ...(textAt(json, "scripts", "test") !== "" && { testCommand: "composer test" }),
  };
}

export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found.trim() : "";
}

const versions = (table: unknown): string[] =>
  isRecord(table)
    ? Object.entries(table).map(([name, version]) =>
        `${name} ${typeof version === "string" ? version : textAt(version, "version")}`.trim(),
      )
    : [];

/** `name[extra] >=1 ; marker` as "name >=1". */
const requirement = (line: string) =>
  (line.split(";")[0] ?? "")
    .replace(/\[[^[\]]*\]/, "")
    .replace(/^([\w.-]+)\s*/, "$1 ")
    .trim();
