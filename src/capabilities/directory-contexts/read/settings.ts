import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { SETTINGS_FILE } from "../schema.ts";
import { parseYaml, readBounded } from "./read-context.ts";

/**
 * `.context.config.yaml`. Unknown keys are errors, every key is optional. `provider`, `model` and `api_key_env` are
 * accepted and not used: only the user's own configuration decides where file contents are sent, never the project.
 */
export const Settings = z.strictObject({
  provider: z.enum(["anthropic", "openai", "google", "ollama"]).optional(),
  model: z.string().optional(),
  api_key_env: z.string().optional(),
  ignore: z.array(z.string()).default([]),
  max_depth: z.int().min(0).default(10),
  mode: z.enum(["lean", "full"]).default("lean"),
  min_tokens: z.int().default(4096),
});
export type Settings = z.output<typeof Settings>;

/** A wrong file is an error that says where. It is never ignored. */
export function readSettings(root: string): Settings {
  const text = readBounded(join(root, SETTINGS_FILE));
  if (typeof text !== "string") {
    if (text.kind === "missing") return Settings.parse({});
    throw invalid(text.reason);
  }
  const parsed = parseYaml(text);
  if ("reason" in parsed) throw invalid(parsed.reason);
  const settings = Settings.safeParse(parsed.value ?? {});
  if (!settings.success) throw invalid(z.prettifyError(settings.error));
  return settings.data;
}

const invalid = (reason: string) =>
  new DomainError("invalid_input", `Invalid ${SETTINGS_FILE}: ${reason}. Correct or remove the file.`, {
    reason: "settings",
  });
