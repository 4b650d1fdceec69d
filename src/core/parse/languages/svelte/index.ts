import { scriptParts } from "../../components.ts";
import { defineLanguage } from "../../language.ts";

export const svelte = defineLanguage({
  id: "svelte",
  name: "Svelte",
  extensions: ["svelte"],
  delegate: { to: ["typescript", "tsx"], find: scriptParts },
});
