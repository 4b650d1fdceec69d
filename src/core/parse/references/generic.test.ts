import { expect, test } from "vitest";
import { openGrammar } from "../grammar.ts";
import { LANGUAGE_NAMES } from "../languages/names.ts";
import { languageById } from "../languages.ts";
import { genericPatterns } from "./generic.ts";

const PARAMETER = /^(?:.*_)?parameters?(?:_declaration)?$/;
const PLACES = ["name:", "pattern:", "declarator:", "."];

const languages = LANGUAGE_NAMES.flatMap(({ id }) => {
  const language = languageById(id);
  return language && "grammar" in language && !("references" in language) ? [language] : [];
});
// A new version of a grammar may rename its nodes: then the list here is what to write into the language.
test.each(languages)(
  "$id lists every place where its grammar may have a parameter's name",
  async (language) => {
    const { compile, types } = await openGrammar(language.grammar);
    const isKnown = (pattern: string) => {
      try {
        compile(pattern).delete();
        return true;
      } catch {
        return false;
      }
    };
    const places = [...new Set(types)]
      .filter((type) => PARAMETER.test(type))
      .flatMap((type) => PLACES.map((place) => `${type} ${place}`));
    const known = places.filter((place) => genericPatterns(types, [place]).slice(-1).every(isKnown));
    expect("parameters" in language ? language.parameters : []).toEqual(known);
  },
);
