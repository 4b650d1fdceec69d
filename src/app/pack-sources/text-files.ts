import { languageOf } from "../../core/parse/source-files.ts";

const CODE = /\.(go|tsx?|jsx?|mjs|cjs|py|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|sql|sh)$/;
const SETTINGS = /\.(ya?ml|toml|ini|cfg|tf|proto|graphql|html?|css|xml)$|(^|\/)(Dockerfile|Makefile)$/;
const PROSE = /\.(md|mdx|markdown|rst|adoc|txt)$/i;
const OWNED_ELSEWHERE = /(^|\/)\.context\.yaml$|^\.context-(teleport|caches)\//;

export const isCode = (path: string): boolean => CODE.test(path);
export const isProse = (path: string): boolean => PROSE.test(path);
/** Files that may be searched by words. */
export const isText = (path: string): boolean => isCode(path) || isProse(path) || SETTINGS.test(path);
/** Files that other rooms own: those rooms know whether they are fresh and who may read them. */
export const isOwnedElsewhere = (path: string): boolean => OWNED_ELSEWHERE.test(path);
/** The label of a quoted block: the language, else the extension. Unsafe labels become `text` later. */
export const labelOf = (path: string): string => languageOf(path) ?? path.split(".").at(-1) ?? "text";
