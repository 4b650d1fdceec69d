import type { ModuleRules } from "../../references/modules.ts";

const NAME = String.raw`\**([\p{L}_][\p{L}\p{N}_.]*)`;
/** The result of a function, after its parameters; the first of several. */
const RESULT = new RegExp(String.raw`\)\s*(?:\((?:\w+\s+)?)?${NAME}(?:\[[^\]]*\])?(?:,.*\)|\))?$`, "u");
const VALUE = new RegExp(String.raw`^(?:var\s+)?\w+\s+${NAME}(?:\[[^\]]*\])?(?:\s*=|\s*$)`, "u");
const MADE = new RegExp(String.raw`=\s*&?${NAME}(?:\[[^\]]*\])?(\{|\(.*\)$)`, "u");

export const goModules: ModuleRules = {
  unit: "directory",
  modulesOf: (from, _importer, tree) => tree.goPackages(from),
  typeOf(signature) {
    const head = signature.replace(/\s*\/\/.*$/, "").replace(/\s*`[^`]*`$/, "");
    if (head.startsWith("func")) return RESULT.exec(head)?.[1];
    const made = MADE.exec(head);
    const type = VALUE.exec(head)?.[1];
    if (type !== undefined) return type;
    return made?.[1] === undefined ? undefined : `${made[1]}${made[2]?.startsWith("(") ? "()" : ""}`;
  },
};
