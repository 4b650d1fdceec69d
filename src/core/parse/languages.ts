import type { Language } from "./language.ts";
import { LANGUAGES } from "./languages/list.ts";
import type { ModuleRules } from "./references/modules.ts";
import type { LanguageId } from "./source-files.ts";

export { LANGUAGES };

export type KnownLanguage = Language<LanguageId>;

/** How a language finds what other files declare; a component is read as the language of its script. */
export function modulesOf(id: string): ModuleRules | undefined {
  const language = BY_ID.get(id);
  if (language && "modules" in language) return language.modules;
  const [other] = language && "delegate" in language ? (language.delegate?.to ?? []) : [];
  return other === undefined ? undefined : modulesOf(other);
}

export const languageById = (id: string): KnownLanguage | undefined => BY_ID.get(id);

const BY_ID: ReadonlyMap<string, KnownLanguage> = new Map(
  LANGUAGES.map((language) => [language.id, language]),
);
