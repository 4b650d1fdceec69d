import { join, posix } from "node:path";
import { parse as parseToml } from "smol-toml";
import { readText } from "../../../../core/scan/read-text.ts";
import { parseYaml } from "../../read/read-context.ts";
import { parentOf } from "../../read/scan-directories.ts";
import { goDirectives, goModuleName } from "../sources/go-directives.ts";
import { at, type PackageManifest, textAt } from "../sources/manifests.ts";
import { openWorkspaceMembers, type WorkspaceMembers } from "./workspace-members.ts";

/** The directory of a workspace package, by the name that sources in a scope import. */
export type Workspaces = (kind: PackageManifest["kind"], scope: string, name: string) => string | undefined;

const MAX_MANIFEST_BYTES = 1_000_000;

/** Reads each manifest once. Missing or malformed ones declare nothing. */
export function openWorkspaces(root: string): Workspaces {
  const project: WorkspaceFiles = {
    members: openWorkspaceMembers(root),
    text(scope, file) {
      const read = readText(join(root, scope, file), { maxBytes: MAX_MANIFEST_BYTES });
      return "text" in read ? read.text : "";
    },
  };
  const nearest = {
    npm: openNearest((scope) => npmPackages(scope, project)),
    rust: openNearest((scope) => crates(scope, project)),
    go: openNearest((scope) => goModules(scope, project)),
  };
  return (kind, scope, name) => {
    if (kind === "rust") return nearest.rust(scope, crateName(name));
    return kind === "npm" || kind === "go" ? nearest[kind](scope, name) : undefined;
  };
}

interface WorkspaceFiles {
  readonly members: WorkspaceMembers;
  /** Empty if there is none. */
  text(scope: string, file: string): string;
}
type WorkspacePackages = ReadonlyMap<string, string>;

/** Finds a package by name in the nearest workspace above that has it. */
function openNearest(
  read: (scope: string) => WorkspacePackages,
): (scope: string, name: string) => string | undefined {
  const known = new Map<string, WorkspacePackages>();
  const packagesAt = (scope: string): WorkspacePackages => {
    const before = known.get(scope);
    if (before) return before;
    const packages = read(scope);
    known.set(scope, packages);
    return packages;
  };
  const find = (scope: string, name: string): string | undefined =>
    packagesAt(scope).get(name) ?? (scope === "." ? undefined : find(parentOf(scope), name));
  return find;
}

/** `workspaces` of a package.json (npm, yarn, bun), pnpm-workspace.yaml, and dependencies that are directories. */
function npmPackages(scope: string, { members, text }: WorkspaceFiles): WorkspacePackages {
  const manifest = parsed(JSON.parse, text(scope, "package.json"));
  const declared = at(manifest, "workspaces");
  const yaml = parseYaml(text(scope, "pnpm-workspace.yaml"));
  const patterns = [
    ...texts(declared),
    ...texts(at(declared, "packages")),
    ...texts(at("value" in yaml ? yaml.value : undefined, "packages")),
  ];
  const workspaces = byName(members(scope, patterns), (member) =>
    textAt(parsed(JSON.parse, text(member, "package.json")), "name"),
  );
  const linked = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"].flatMap(
    (table) =>
      entriesAt(manifest, table).flatMap(([name, version]) => {
        const path = /^(?:file|link|portal):(.+)$/.exec(String(version))?.[1];
        return path === undefined ? [] : inProject(scope, path).map((target) => [name, target] as const);
      }),
  );
  return new Map([...workspaces, ...linked]);
}

function crates(scope: string, { members, text }: WorkspaceFiles): WorkspacePackages {
  const own = parsed(parseToml, text(scope, "Cargo.toml"));
  const workspace = at(own, "workspace");
  const excluded = texts(at(workspace, "exclude")).map((path) => `!${path}`);
  // The package in the workspace's own manifest is also a member.
  const patterns = workspace === undefined ? [] : [".", ...texts(at(workspace, "members")), ...excluded];
  const known = byName(members(scope, patterns), (member) => {
    const manifest = parsed(parseToml, text(member, "Cargo.toml"));
    return crateName(textAt(manifest, "lib", "name") || textAt(manifest, "package", "name"));
  });
  const linked = [own, workspace].flatMap((holder) =>
    ["dependencies", "dev-dependencies", "build-dependencies"].flatMap((table) =>
      entriesAt(holder, table).flatMap(([name, dependency]) => {
        const path = textAt(dependency, "path");
        return path === "" ? [] : inProject(scope, path).map((target) => [crateName(name), target] as const);
      }),
    ),
  );
  return new Map([...known, ...linked]);
}

/** The name as written in code. */
const crateName = (name: string) => name.replaceAll("-", "_");

/** Modules from `use` in go.work, and from `replace` with a directory in go.work or go.mod. */
function goModules(scope: string, { text }: WorkspaceFiles): WorkspacePackages {
  const local = (path: string) => (path.startsWith(".") ? inProject(scope, path) : []);
  const work = goDirectives(text(scope, "go.work"));
  const used = work.flatMap(([word, path = ""]) => (word === "use" ? local(path) : []));
  const replaced = [...work, ...goDirectives(text(scope, "go.mod"))].flatMap(([word, name = "", ...rest]) => {
    const path = word === "replace" ? rest[rest.indexOf("=>") + 1] : undefined;
    return path === undefined ? [] : local(path).map((target) => [name, target] as const);
  });
  return new Map([...byName(used, (member) => goModuleName(text(member, "go.mod"))), ...replaced]);
}

/** A directory by its path from a scope; nothing if it is outside the project. */
function inProject(scope: string, path: string): readonly string[] {
  const target = posix.join(scope, path).replace(/(?<=.)\/$/, "");
  return path.startsWith("/") || /^\.\.(\/|$)/.test(target) ? [] : [target];
}

const entriesAt = (value: unknown, key: string): readonly (readonly [string, unknown])[] =>
  Object.entries(Object(at(value, key)));

/** If two members have the same name, the first counts. */
const byName = (members: readonly string[], nameOf: (member: string) => string): WorkspacePackages =>
  new Map(
    members
      .map((member) => [nameOf(member), member] as const)
      .filter(([name]) => name !== "")
      .toReversed(),
  );

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

function parsed(parse: (text: string) => unknown, text: string): unknown {
  try {
    return text === "" ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
