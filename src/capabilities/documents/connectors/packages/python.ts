import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readTextInside } from "../../../../core/files/read-inside.ts";
import type { Dependency } from "./dependency.ts";

const Requirements = z.array(z.string()).catch([]);
const Project = z.object({
  project: z
    .object({
      dependencies: Requirements,
      "optional-dependencies": z.record(z.string(), Requirements).catch({}),
    })
    .optional(),
  "dependency-groups": z.record(z.string(), Requirements).catch({}),
  tool: z
    .object({ poetry: z.object({ dependencies: z.record(z.string(), z.unknown()).catch({}) }) })
    .optional()
    .catch(undefined),
});
const ENVIRONMENTS = [".venv", "venv", "env"];
const REQUIREMENT_FILES = ["requirements.txt", "requirements-dev.txt"];

/** The dependencies of pyproject.toml and requirements.txt, from the virtual environment in the project. */
export async function pythonDependencies(root: string): Promise<readonly Dependency[]> {
  const wanted = new Set((await requirements(root)).map(nameOf).filter((name) => name !== ""));
  if (wanted.size === 0) return [];
  return sitePackages(root).flatMap((site) =>
    namesIn(site)
      .map((entry) => /^([A-Za-z0-9._-]+?)-([^-]+)\.dist-info$/.exec(entry))
      .flatMap((match) => {
        const [entry = "", name = "", version] = match ?? [];
        if (!wanted.has(nameOf(name))) return [];
        return [
          {
            name: nameOf(name),
            locked: async () => version,
            places: [{ directory: join(site, entry), inside: root }],
          },
        ];
      }),
  );
}

async function requirements(root: string): Promise<string[]> {
  const { project, tool, "dependency-groups": groups } = await readProject(root);
  const files = await Promise.all(REQUIREMENT_FILES.map((file) => readTextInside(root, file)));
  return [
    ...(project?.dependencies ?? []),
    ...Object.values(project?.["optional-dependencies"] ?? {}).flat(),
    ...Object.values(groups).flat(),
    ...Object.keys(tool?.poetry.dependencies ?? {}),
    ...files.flatMap((text) => (text ?? "").split("\n").filter((line) => /^\w/.test(line))),
  ];
}

async function readProject(root: string): Promise<z.output<typeof Project>> {
  const text = (await readTextInside(root, "pyproject.toml")) ?? "";
  const { parse } = await import("smol-toml");
  try {
    return Project.parse(parse(text));
  } catch {
    return { "dependency-groups": {} };
  }
}

/** One name for `Flask_SQLAlchemy>=3` and `flask-sqlalchemy`. */
const nameOf = (requirement: string) =>
  (/^[A-Za-z0-9][\w.-]*/.exec(requirement)?.[0] ?? "").toLowerCase().replace(/[-_.]+/g, "-");

function sitePackages(root: string): string[] {
  return ENVIRONMENTS.flatMap((environment) => [
    ...namesIn(join(root, environment, "lib")).map((python) =>
      join(root, environment, "lib", python, "site-packages"),
    ),
    join(root, environment, "Lib", "site-packages"),
  ]);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
