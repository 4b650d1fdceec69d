/** What goes between a project's text and a model or a terminal: secrets out, invisible characters out, orders flagged. */
export { type FlaggedLine, flagInstructions } from "./instructions.ts";
export { escapeControl, stripInvisible } from "./invisible.ts";
export { quotableLines } from "./quotable-lines.ts";
export { type FoundSecret, findSecrets, redactSecrets } from "./secrets.ts";
