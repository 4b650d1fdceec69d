import { defineLanguage } from "../../language.ts";

const CREATE = String.raw`^\s*create\s+(?:or\s+replace\s+|or\s+alter\s+|temp(?:orary)?\s+|global\s+|unlogged\s+|virtual\s+|definer\s*=\s*\S+\s+)*`;
const NAME = String.raw`(?:if\s+not\s+exists\s+)?(?:["\`[]?\w+["\`\]]?\.)*["\`[]?(?<name>\w+)`;
/** A routine ends with its quoted body, or with the `end` at the start of a line. */
const ROUTINE_END =
  /^\s*end\b[^;]*;?\s*(?:\/\/|\$\$)?\s*$|\$\w*\$[^;$]*;\s*$|^\s*(?:go|\/)\s*$|\blanguage\s+\w+[^;]*;\s*$|'\s*;\s*$|\bexecute\s+(?:function|procedure)\b.*;\s*$/i;

export const sql = defineLanguage({
  id: "sql",
  name: "SQL",
  extensions: ["sql", "ddl", "pgsql", "plsql", "mysql", "psql"],
  patterns: {
    quote: /\$\w*\$/g,
    extent: /;\s*$|^\s*(?:go|\/)\s*$/i,
    comment: /^\s*--/,
    block: { start: /^\s*\/\*/, end: /\*\// },
    definitions: [
      {
        kind: "function",
        match: new RegExp(
          `${CREATE}(?:function|procedure|proc|trigger|aggregate|package\\s+body|package)\\s+${NAME}`,
          "i",
        ),
        extent: ROUTINE_END,
      },
      { kind: "struct", match: new RegExp(`${CREATE}(?:table|foreign\\s+table)\\s+${NAME}`, "i") },
      { kind: "struct", match: new RegExp(`${CREATE}(?:materialized\\s+)?view\\s+${NAME}`, "i") },
      { kind: "type", match: new RegExp(`${CREATE}(?:type|domain|enum)\\s+${NAME}`, "i") },
      { kind: "module", match: new RegExp(`${CREATE}(?:schema|database|extension)\\s+${NAME}`, "i") },
      {
        kind: "var",
        match: new RegExp(
          `${CREATE}(?:unique\\s+)?(?:index|sequence|policy|role)\\s+(?:concurrently\\s+)?${NAME}`,
          "i",
        ),
      },
    ],
  },
});
