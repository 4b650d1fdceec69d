import { redactSecrets } from "./secrets.ts";

/** The lines of a text. A key of many lines goes before lines are cut out of it, for its middle alone shows no mark. */
export const quotableLines = (text: string): readonly string[] =>
  (text.includes("PRIVATE KEY") ? redactSecrets(text).text : text).split("\n");
