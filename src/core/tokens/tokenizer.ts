import { once } from "../lazy.ts";

/** Counts real tokens as o200k models do. Loaded on first use: its table is large. */
export const loadTokenizer = once(async (): Promise<(text: string) => number> => {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return (text) => countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
});
