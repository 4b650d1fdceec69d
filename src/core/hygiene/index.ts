/** What goes between a project's text and a model or a terminal: secrets out, invisible characters out, orders flagged. */
export { type FlaggedLine, flagInstructions } from "./instructions.ts";
export { escapeControl, stripInvisible } from "./invisible.ts";
export { type FoundSecret, findSecrets, quotableLines, redactSecrets } from "./secrets.ts";
