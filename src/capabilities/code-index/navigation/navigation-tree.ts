import { parse as parseJson } from "jsonc-parser";
import { z } from "zod";
import { directoriesAbove, joinPath, type SourceTree } from "../../../core/parse/references/modules.ts";
import type { CodeStore } from "../store/code-store.ts";
import { readLines } from "../store/stored-contents.ts";

const FileRow = z.object({
  id: z.number(),
  path: z.string(),
  language: z.string(),
  package: z.string(),
  import_path: z.string(),
  hash: z.string(),
});
export type NavigableFile = z.infer<typeof FileRow>;

const TsConfig = z.object({
  compilerOptions: z
    .object({
      baseUrl: z.string().optional().catch(undefined),
      paths: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const Manifest = z.object({ name: z.string().optional().catch(undefined) });
const MAX_CONFIG_LINES = 2_000;

interface ScriptConfig {
  readonly directory: string;
  readonly baseUrl: string | undefined;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

/** The files of one generation of the index, as imports see them. */
export class NavigationTree implements SourceTree {
  readonly byId = new Map<number, NavigableFile>();
  readonly #byPath = new Map<string, NavigableFile>();
  readonly #byDirectory = new Map<string, NavigableFile[]>();
  readonly #directories = new Set<string>();
  readonly #byLastPart = new Map<string, string[]>();
  readonly #packages = new Map<string, string[]>();
  readonly #configs = new Map<string, ScriptConfig>();
  readonly #manifests = new Map<string, string>();

  constructor(code: CodeStore) {
    const rows = code.store.prepare("SELECT id, path, language, package, import_path, hash FROM files").all();
    // Thousands of rows that we wrote ourselves: checking the first is enough.
    if (rows.length > 0) FileRow.parse(rows[0]);
    for (const file of rows as NavigableFile[]) this.#add(file);
    for (const directory of this.#directories) {
      const last = directory.slice(directory.lastIndexOf("/") + 1);
      this.#byLastPart.set(last, [...(this.#byLastPart.get(last) ?? []), directory]);
    }
    for (const file of this.#byPath.values()) this.#readConfig(code, file);
  }

  fileAt(path: string): NavigableFile | undefined {
    return this.#byPath.get(path);
  }
  filesIn(directory: string): readonly NavigableFile[] {
    return this.#byDirectory.get(directory) ?? [];
  }
  get files(): Iterable<NavigableFile> {
    return this.byId.values();
  }

  hasFile(path: string): boolean {
    return this.#byPath.has(path);
  }
  hasDirectory(path: string): boolean {
    return this.#directories.has(path);
  }
  directoriesEndingWith(path: string): readonly string[] {
    const last = path.slice(path.lastIndexOf("/") + 1);
    return (this.#byLastPart.get(last) ?? []).filter((one) => one === path || one.endsWith(`/${path}`));
  }
  goPackages(importPath: string): readonly string[] {
    return this.#packages.get(importPath) ?? [];
  }

  scriptAliases(specifier: string, importer: string): readonly string[] {
    for (const directory of directoriesAbove(importer)) {
      const config = this.#configs.get(directory);
      const found = config ? aliasesOf(config, specifier) : [];
      if (found.length > 0) return found;
    }
    const parts = specifier.split("/");
    const count = specifier.startsWith("@") ? 2 : 1;
    const directory = this.#manifests.get(parts.slice(0, count).join("/"));
    if (directory === undefined) return [];
    const rest = parts.slice(count).join("/");
    return [rest, `src/${rest}`].flatMap((path) => joinPath(directory, path) ?? []);
  }

  #add(file: NavigableFile): void {
    this.byId.set(file.id, file);
    this.#byPath.set(file.path, file);
    const [directory = ""] = directoriesAbove(file.path);
    const beside = this.#byDirectory.get(directory);
    if (beside) beside.push(file);
    else {
      this.#byDirectory.set(directory, [file]);
      for (const above of directoriesAbove(file.path)) this.#directories.add(above);
    }
    if (file.language !== "go") return;
    const packages = this.#packages.get(file.import_path) ?? [];
    if (!packages.includes(directory)) this.#packages.set(file.import_path, [...packages, directory]);
  }

  #readConfig(code: CodeStore, file: NavigableFile): void {
    const [directory = ""] = directoriesAbove(file.path);
    const name = file.path.slice(directory === "" ? 0 : directory.length + 1);
    if (name === "package.json") {
      const manifest = Manifest.safeParse(readJson(code, file));
      if (manifest.data?.name !== undefined) this.#manifests.set(manifest.data.name, directory);
    }
    if (!/^[tj]sconfig(?:\.[\w-]+)*\.json$/.test(name)) return;
    const { baseUrl, paths } = TsConfig.safeParse(readJson(code, file)).data?.compilerOptions ?? {};
    if (baseUrl === undefined && paths === undefined) return;
    const isMain = name === "tsconfig.json" || !this.#configs.has(directory);
    if (isMain) this.#configs.set(directory, { directory, baseUrl, paths: paths ?? {} });
  }
}

function aliasesOf({ directory, baseUrl, paths }: ScriptConfig, specifier: string): string[] {
  const base = joinPath(directory, baseUrl ?? ".") ?? directory;
  const mapped = Object.entries(paths).flatMap(([pattern, targets]) => {
    const [before = "", after] = pattern.split("*");
    if (after === undefined) return pattern === specifier ? targets : [];
    if (!specifier.startsWith(before) || !specifier.endsWith(after)) return [];
    const middle = specifier.slice(before.length, specifier.length - after.length);
    return targets.map((target) => target.replace("*", middle));
  });
  return [...mapped, ...(baseUrl === undefined ? [] : [specifier])].flatMap(
    (path) => joinPath(base, path) ?? [],
  );
}

function readJson(code: CodeStore, file: NavigableFile): unknown {
  return parseJson(readLines(code.store, file, 1, MAX_CONFIG_LINES).join("\n"));
}
