import { byCodeUnit } from "../../../core/order.ts";
import type { CodeStore } from "../store/code-store.ts";
import { foundSymbol, isIn } from "./find-symbol.ts";
import { navigatorOf } from "./navigator.ts";
import type { OutlineOutput } from "./schemas.ts";

const BYTES_PER_TOKEN = 3;
/** In a directory the members of types are left out, and docs are short anyway. */
const BYTES_PER_SYMBOL = 24;

/** The symbols of a file, or of the files of a directory, as many as fit. */
export function outlineOf(
  code: CodeStore,
  part: string,
  budget: number,
): Omit<OutlineOutput, "files_changed"> {
  const navigator = navigatorOf(code);
  const only = navigator.tree.fileAt(part);
  const files = (only ? [only] : [...navigator.tree.files])
    .filter(({ path, language }) => language !== "" && isIn(path, part))
    .sort((a, b) => depthOf(a.path) - depthOf(b.path) || byCodeUnit(a.path, b.path));
  const isOneFile = files.length === 1;
  let left = budget * BYTES_PER_TOKEN;
  const outlined: OutlineOutput["files"] = [];
  for (const file of files) {
    if (left <= 0) break;
    const declared = navigator.namesOf(file).declared;
    const wanted = declared.filter(({ parent, exported }) => isOneFile || (parent === "" && exported));
    const symbols: OutlineOutput["files"][number]["symbols"] = [];
    left -= file.path.length;
    for (const one of wanted) {
      if (left <= 0) break;
      const symbol = foundSymbol(code, { ...one, file });
      symbols.push(symbol);
      left -= Math.min(symbol.signature.length, 120) + Math.min(symbol.doc.length, 80) + BYTES_PER_SYMBOL;
    }
    if (declared.length > 0)
      outlined.push({ path: file.path, symbols, more: declared.length - symbols.length });
  }
  return { path: part || ".", files: outlined, more_files: files.length - outlined.length };
}

const depthOf = (path: string) => path.split("/").length;
