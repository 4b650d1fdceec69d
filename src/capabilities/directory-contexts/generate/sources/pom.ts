import { cutOut } from "./cut-out.ts";
import type { Manifest } from "./manifests.ts";

/** Sections with names and descriptions that are not the project's own. */
const SECTIONS = [
  ...["parent", "dependencies", "dependencyManagement", "build", "profiles", "licenses", "developers"],
  ...["contributors", "organization", "scm", "modules", "properties", "repositories", "pluginRepositories"],
  ...["distributionManagement", "reporting", "issueManagement", "ciManagement", "mailingLists"],
];
/** Sections whose dependencies the project need not have. */
const MANAGED = ["dependencyManagement", "build", "profiles"];

/** Enough of XML for a pom: its own name and description, which come before, after or between its sections. */
export function readPom(text: string): Manifest {
  const plain = cutOut(text, "<!--", "-->").outside;
  const own = withoutElements(plain, SECTIONS);
  const dependencies = cutOut(withoutElements(plain, MANAGED), "<dependency>", "</dependency>").inside;
  return {
    kind: "maven",
    name: textOf("name", own) || textOf("artifactId", own),
    description: textOf("description", own),
    dependencies: dependencies.map((each) =>
      `${textOf("groupId", each)}:${textOf("artifactId", each)} ${textOf("version", each)}`.trim(),
    ),
    testCommand: "mvn test",
  };
}

const withoutElements = (text: string, names: readonly string[]) =>
  names.reduce((rest, name) => cutOut(rest, `<${name}>`, `</${name}>`).outside, text);

function textOf(name: string, text: string): string {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? "";
  // A value that is computed tells nothing as it stands.
  if (value.includes("${")) return "";
  return value
    .replace(/&(amp|lt|gt|quot|apos);/g, unescapeXml)
    .replace(/\s+/g, " ")
    .trim();
}

const unescapeXml = (_: string, name: string) =>
  ({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" })[name] ?? "";
