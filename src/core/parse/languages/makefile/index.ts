import { defineLanguage } from "../../language.ts";

export const makefile = defineLanguage({
  id: "makefile",
  name: "Makefile",
  extensions: ["mk", "mak", "make"],
  fileNames: ["makefile", "gnumakefile", "makefile.am", "makefile.in"],
  interpreters: ["make"],
  patterns: {
    extent: "next",
    comment: /^#/,
    between: /^\.PHONY\s*:/,
    definitions: [
      {
        kind: "target",
        match:
          /^(?!\.(?:PHONY|SUFFIXES|DEFAULT|PRECIOUS|INTERMEDIATE|SECONDARY|DELETE_ON_ERROR|SILENT|EXPORT_ALL_VARIABLES|NOTPARALLEL|ONESHELL|POSIX)\b)(?<name>[^\s:=#][^:=#]{0,200}?)\s*::?(?![:=])/,
        isList: true,
        exported: () => false,
      },
      { kind: "macro", match: /^define\s+(?<name>\S+)/, exported: () => false },
      // Inside of a condition. A recipe is indented too, but no shell writes `A ?= b` or `A = b`.
      {
        kind: "var",
        match: /^\s+(?:export\s+|override\s+)*(?<name>[\w.-]+)\s*(?:(?::{1,3}|\+|\?|!)=|(?<=\s)=(?=\s|$))/,
        extent: "line",
        exported: () => false,
      },
      {
        kind: "var",
        match: /^(?:export\s+|override\s+)*(?<name>[\w.-]+)\s*(?::{0,3}|\+|\?|!)=/,
        extent: "line",
        exported: () => false,
      },
    ],
  },
});
