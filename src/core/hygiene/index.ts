/** Cleans a project's text for a model or a terminal: secrets and invisible characters are removed, orders to agents flagged. */
export { type CleanedCounts, cleanOutput, cleanText } from "./clean-output.ts";
export { flagInstructions } from "./instructions.ts";
export { escapeControl, firstInvisible, stripInvisible } from "./invisible.ts";
export { findSecrets, quotableLines, redactSecrets } from "./secrets.ts";
