const CODE = /\.(go|tsx?|jsx?|mjs|cjs|py|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|sql|sh)$/;
const SETTINGS = /\.(ya?ml|toml|ini|cfg|tf|proto|graphql|html?|css|xml)$|(^|\/)(Dockerfile|Makefile)$/;
const PROSE = /\.(md|mdx|markdown|rst|adoc|txt)$/i;
const OWNED_ELSEWHERE = /(^|\/)\.context\.yaml$|^\.context-(teleport|caches)\//;

export const isCode = (path: string): boolean => CODE.test(path);
export const isProse = (path: string): boolean => PROSE.test(path);
/** What may be read for its words, code or not. */
export const isText = (path: string): boolean => isCode(path) || isProse(path) || SETTINGS.test(path);
/** What other rooms own is quoted from them, with what they know of it and of who may read it. */
export const isOwnedElsewhere = (path: string): boolean => OWNED_ELSEWHERE.test(path);
/** What a block of its lines is labelled with; what is no label becomes `text` with everything else that is not safe. */
export const labelOf = (path: string): string => path.split(".").at(-1) ?? "text";
