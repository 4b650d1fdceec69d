import { scriptParts } from "../../components.ts";
import { defineLanguage } from "../../language.ts";

export const vue = defineLanguage({
  id: "vue",
  name: "Vue",
  extensions: ["vue"],
  delegate: { to: ["typescript", "tsx"], find: scriptParts },
});
