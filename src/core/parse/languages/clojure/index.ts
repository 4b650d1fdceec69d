import { defineLanguage } from "../../language.ts";

export const clojure = defineLanguage({
  id: "clojure",
  name: "Clojure",
  extensions: ["clj", "cljs", "cljc", "bb"],
  interpreters: ["clojure", "bb"],
  patterns: {
    extent: "brackets",
    comment: /^\s*;/,
    definitions: [
      { kind: "module", match: /^\(ns\s+(?:\^\S+\s+)*(?<name>[\w.*+!?<>=-]+)/ },
      {
        kind: "function",
        match: /^\s*\((?:\w+\/)?defn-?\s+(?:\^\S+\s+)*(?<name>[^\s()[\]{}]+)/,
        exported: (line) => !/defn-/.test(line),
      },
      { kind: "macro", match: /^\s*\(defmacro\s+(?:\^\S+\s+)*(?<name>[^\s()[\]{}]+)/ },
      { kind: "interface", match: /^\s*\((?:defprotocol|definterface)\s+(?<name>[^\s()[\]{}]+)/ },
      { kind: "struct", match: /^\s*\((?:defrecord|deftype)\s+(?<name>[^\s()[\]{}]+)/ },
      { kind: "function", match: /^\s*\((?:defmulti|defmethod)\s+(?<name>[^\s()[\]{}]+)/ },
      { kind: "var", match: /^\s*\((?:\w+\/)?(?:def|defonce|s\/def)\s+(?:\^\S+\s+)*(?<name>[^\s()[\]{}]+)/ },
      { kind: "function", match: /^\((?:[\w.-]+\/)?def[\w-]*\s+(?:\^\S+\s+)*(?<name>[^\s()[\]{}"]+)/ },
    ],
  },
});
