import type { Language } from "./language.ts";
import { LANGUAGES } from "./languages/list.ts";
import type { ModuleRules } from "./references/modules.ts";

export { LANGUAGES };

export type LanguageId = (typeof LANGUAGES)[number]["id"];

export type KnownLanguage = Language<LanguageId>;

/** How a language finds what other files declare; a component is read as the language of its script. */
export function modulesOf(id: string): ModuleRules | undefined {
  const language = BY_ID.get(id);
  if (language && "modules" in language) return language.modules;
  const [other] = language && "delegate" in language ? (language.delegate?.to ?? []) : [];
  return other === undefined ? undefined : modulesOf(other);
}

export const languageById = (id: string): KnownLanguage | undefined => BY_ID.get(id);

/** The programming language of a file, by its name, else by the `#!` line; `undefined` for prose, data and the unknown. */
export function languageOf(path: string, firstLine?: string): LanguageId | undefined {
  const language =
    named(path) ?? (firstLine === undefined ? undefined : BY_INTERPRETER.get(interpreterOf(firstLine)));
  return language?.isDocument ? undefined : language?.id;
}

/** The language of prose and data that has an outline: headings, top-level keys. */
export function documentLanguageOf(path: string): LanguageId | undefined {
  const language = named(path);
  return language?.isDocument ? language.id : undefined;
}

/** `python3.11` of `#!/usr/bin/env -S python3.11 -u` is `python`. */
export function interpreterOf(firstLine: string): string {
  const written = /^#!\s*(\S+)(?:\s+(.*))?$/.exec(firstLine.slice(0, 300).trimEnd());
  const program = baseName(written?.[1] ?? "");
  const words = (written?.[2] ?? "").split(/\s+/).filter((word) => !/^-|=/.test(word));
  return (program === "env" ? baseName(words[0] ?? "") : program).replace(/[\d.]+$/, "");
}

function named(path: string): KnownLanguage | undefined {
  const name = baseName(path).toLowerCase();
  const whole = BY_FILE_NAME.get(name);
  if (whole) return whole;
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
}

const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const indexBy = (keysOf: (language: Language) => readonly string[]): ReadonlyMap<string, KnownLanguage> =>
  new Map(LANGUAGES.flatMap((language) => keysOf(language).map((key) => [key, language] as const)));

const BY_ID = indexBy(({ id }) => [id]);
const BY_EXTENSION = indexBy(({ extensions }) => extensions);
const BY_FILE_NAME = indexBy(({ fileNames = [] }) => fileNames);
const BY_INTERPRETER = indexBy(({ interpreters = [] }) => interpreters);
