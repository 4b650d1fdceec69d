/** Cleans a project's text for a model or a terminal: secrets and invisible characters are removed, orders to agents flagged. */
export { type CleanedCounts, cleanOutput, cleanText } from "./clean-output.ts";
export { type FlaggedLine, flagInstructions } from "./instructions.ts";
export { escapeControl, firstInvisible, stripInvisible } from "./invisible.ts";
export { type FoundSecret, findSecrets, quotableLines, redactSecrets } from "./secrets.ts";
