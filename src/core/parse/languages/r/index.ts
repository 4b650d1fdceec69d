import { defineLanguage } from "../../language.ts";

export const r = defineLanguage({
  id: "r",
  name: "R",
  extensions: ["r", "rmd"],
  interpreters: ["rscript", "Rscript"],
  patterns: {
    extent: "brackets",
    comment: /^\s*#/,
    definitions: [
      { kind: "function", match: /^\s*["'`]?(?<name>[\w.<\-[]*[\w.])["'`]?\s*(?:<-|<<-|=)\s*function\b/ },
      { kind: "function", match: /^\s*["'`]?(?<name>[\w.]+)["'`]?\s*(?:<-|=)\s*\\\(/ },
      { kind: "function", match: /^\s*`(?<name>[^`]+)`\s*(?:<-|=)\s*function\b/ },
      {
        kind: "class",
        match: /^\s*(?<name>[\w.]+)\s*(?:<-|=)\s*(?:\w+\()?(?:R6::)?(?:setClass|R6Class|setRefClass)\(/,
      },
      {
        kind: "class",
        match:
          /^\s*(?:\w+\s*(?:<-|=)\s*)?(?:setClass|R6Class|setRefClass|R6::R6Class)\(\s*["'](?<name>[\w.]+)["']/,
      },
      { kind: "function", match: /^\s*(?:setGeneric|setMethod)\(\s*["'](?<name>[\w.[\]<-]+)["']/ },
      { kind: "const", match: /^(?<name>[A-Z][A-Z0-9_.]+)\s*(?:<-|=)/, extent: "line" },
    ],
  },
});
