import { directoryOf, joinPath, type ModuleRules, type SourceTree } from "../../references/modules.ts";

const EXTENSIONS = [
  ".ts",
  ".tsx",
  ".d.ts",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".vue",
  ".svelte",
  ".json",
];
/** What a script imports as `x.js` may be written as `x.ts`. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

export const typescriptModules: ModuleRules = {
  unit: "file",
  modulesOf(from, importer, tree) {
    const path = from.replace(/[?#].*$/, "");
    if (/^\.\.?(?:\/|$)/.test(path)) {
      const base = joinPath(directoryOf(importer), path);
      return base === undefined ? [] : fileAt(base, tree);
    }
    for (const alias of tree.scriptAliases(path, importer)) {
      const found = fileAt(alias, tree);
      if (found.length > 0) return found;
    }
    return [];
  },
  typeOf(signature) {
    const type =
      /\)?\s*:\s*(?:Promise<)?([\p{L}_$][\p{L}\p{N}_$.]*)(?:<[^=]*>|>)?(?:\s*\|\s*(?:undefined|null))*(?:\s*=.*)?;?$/u;
    const made = /=\s*(?:await\s+)?(?:new\s+)?([\p{L}_$][\p{L}\p{N}_$.]*)\(.*\);?$/u.exec(signature)?.[1];
    return made === undefined ? type.exec(signature)?.[1] : `${made}()`;
  },
};

function fileAt(base: string, tree: SourceTree): readonly string[] {
  const extension = /\.[cm]?jsx?$/.exec(base)?.[0] ?? "";
  const stem = base.slice(0, base.length - extension.length);
  const candidates = [
    base,
    ...(WRITTEN_AS[extension] ?? []).map((other) => `${stem}${other}`),
    ...EXTENSIONS.map((other) => `${base}${other}`),
    ...EXTENSIONS.map((other) => (base === "" ? `index${other}` : `${base}/index${other}`)),
  ];
  return candidates.filter((path) => tree.hasFile(path)).slice(0, 1);
}
