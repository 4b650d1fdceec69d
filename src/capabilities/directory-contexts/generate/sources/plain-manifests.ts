import type { PackageManifest } from "./manifests.ts";

/**
 * Manifests that are programs, or that have a format of their own. Only their plain strings are read, and no program is
 * run: a computed name or description is missing.
 */
export const PLAIN_MANIFESTS: readonly (readonly [
  name: RegExp,
  read: (text: string, file: string) => PackageManifest,
])[] = [
  [/^setup\.py$/, readSetupScript],
  [/^setup\.cfg$/, readSetupConfig],
  [/\.gemspec$/, readGemspec],
  [/\.(cs|fs|vb)proj$/, readProjectFile],
  [/^mix\.exs$/, readMix],
  [/\.cabal$/, readCabal],
  [/(?<!^settings)\.gradle(\.kts)?$/, readGradle],
];

function readSetupScript(text: string): PackageManifest {
  const value = (field: string) =>
    plainStrings(
      new RegExp(`(?<=[\\s(,])${field}\\s*=\\s*\\(?\\s*((?:${STRING}\\s*)+)(?=[,)]|$)`).exec(text)?.[1],
    );
  return { kind: "python", name: value("name"), description: value("description"), dependencies: [] };
}

/** A string of Python, Ruby or Elixir in one line. */
const STRING = `(?:"[^"\\\\\\n]*"|'[^'\\\\\\n]*')`;

/** Strings that follow each other are one string in Python. */
const plainStrings = (strings = "") =>
  [...strings.matchAll(new RegExp(STRING, "g"))]
    .map(([each]) => each.slice(1, -1))
    .join("")
    .trim();

function readSetupConfig(text: string): PackageManifest {
  const metadata = /^\[metadata\]\s*\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? "";
  return {
    kind: "python",
    name: valueAfter("name", "=", metadata),
    // `file: README.md` is not the text.
    description: valueAfter("description", "=", metadata).replace(/^(file|attr):.*$/, ""),
    dependencies: [],
  };
}

function valueAfter(field: string, mark: string, text: string): string {
  return new RegExp(`^${field}[ \\t]*${mark}[ \\t]*(\\S.*)$`, "im").exec(text)?.[1]?.trim() ?? "";
}

function readGemspec(text: string, file: string): PackageManifest {
  const value = (field: string) =>
    new RegExp(`^\\s*\\w+\\.${field}\\s*=\\s*(["'])(.+?)\\1`, "m").exec(text)?.[2] ?? "";
  return {
    kind: "gem",
    name: value("name") || file.replace(/\.gemspec$/, ""),
    description: value("summary"),
    dependencies: [],
  };
}

/** A project file of .NET is named after its package. */
function readProjectFile(text: string, file: string): PackageManifest {
  return {
    kind: "nuget",
    name: file.replace(/\.\w+$/, ""),
    description: /<Description>([^<>]*)<\/Description>/.exec(text)?.[1]?.trim() ?? "",
    dependencies: [],
  };
}

function readMix(text: string): PackageManifest {
  const inPlace = new RegExp(`(?:\\bdescription:|@description)\\s+(${STRING})`).exec(text)?.[1];
  const inFunction = /\bdefp? description\b[^"]{0,20}do\s+(?:"""\s*([^"]+)"""|"([^"\n]+)")/.exec(text);
  return {
    kind: "hex",
    name: /\bapp:\s*:(\w+)/.exec(text)?.[1] ?? "",
    description:
      plainStrings(inPlace) || (inFunction?.[1] ?? inFunction?.[2] ?? "").replace(/\s+/g, " ").trim(),
    dependencies: [],
    testCommand: "mix test",
  };
}

function readCabal(text: string, file: string): PackageManifest {
  return {
    kind: "cabal",
    name: valueAfter("name", ":", text) || file.replace(/\.cabal$/, ""),
    description: valueAfter("synopsis", ":", text),
    dependencies: [],
  };
}

/** A build of Gradle is named in another file. */
function readGradle(text: string): PackageManifest {
  const described = /^(?:project\.)?description\s*=?\s*(["'])((?:(?!\1)[^\\$\n])+)\1/m.exec(text);
  return { kind: "gradle", name: "", description: described?.[2]?.trim() ?? "", dependencies: [] };
}
