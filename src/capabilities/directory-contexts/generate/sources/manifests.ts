import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../schema.ts";
import { goDirectives, goModuleName } from "./go-directives.ts";
import { readPom } from "./pom.ts";

export interface Manifest {
  readonly kind: "npm" | "python" | "rust" | "go" | "maven";
  readonly name: string;
  readonly description: string;
  /** "name version", development ones marked, in the manifest's order. */
  readonly dependencies: readonly string[];
  /** The `packageManager` field of a package.json, without its version. */
  readonly packageManager?: string;
  /** How its tests are run, where it says so. */
  readonly testCommand?: string;
}

/** What the manifests among a directory's files say; those that cannot be parsed say nothing. */
export function readManifests(texts: ReadonlyMap<string, string>): Manifest[] {
  return Object.entries(READERS).flatMap(([name, read]) => {
    const text = texts.get(name);
    if (text === undefined) return [];
    try {
      return [read(text)];
    } catch {
      return [];
    }
  });
}

export const manifestsAmong = (files: readonly { readonly name: string; readonly text: string }[]) =>
  readManifests(new Map(files.map(({ name, text }) => [name, text])));

const READERS = {
  "package.json": readPackageJson,
  "pyproject.toml": readPyproject,
  "requirements.txt": readRequirements,
  "Cargo.toml": readCargo,
  "go.mod": readGoMod,
  "pom.xml": readPom,
} as const satisfies Record<string, (text: string) => Manifest>;

function readPackageJson(text: string): Manifest {
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
    // npm's own placeholder is no test.
    ...(test !== "" && !test.includes("no test specified") && { testCommand: "test" }),
  };
}

function readPyproject(text: string): Manifest {
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

function readRequirements(text: string): Manifest {
  const lines = text.split("\n").map((line) => line.replace(/#.*$/, "").trim());
  return {
    kind: "python",
    name: "",
    description: "",
    dependencies: lines.filter((line) => /^[A-Za-z0-9]/.test(line)).map(requirement),
  };
}

function readCargo(text: string): Manifest {
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

function readGoMod(text: string): Manifest {
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
