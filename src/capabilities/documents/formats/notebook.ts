import { z } from "zod";
import { parseJson } from "../../../core/json.ts";
import type { Extraction } from "./format.ts";
import { decode } from "./text.ts";

/** Longer outputs are data, not text to read. */
const MOST_OUTPUT = 2_000;
const Lines = z.union([z.string(), z.array(z.string())]).transform((text) => [text].flat().join(""));
const Output = z.looseObject({
  text: Lines.optional(),
  data: z.looseObject({ "text/plain": Lines.optional() }).optional(),
});
const Cell = z.looseObject({
  cell_type: z.string(),
  source: Lines.default(""),
  outputs: z.array(Output).default([]),
});
const Notebook = z.looseObject({
  cells: z.array(Cell),
  metadata: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      language_info: z.looseObject({ name: z.string() }).optional().catch(undefined),
      authors: z
        .array(z.looseObject({ name: z.string() }))
        .optional()
        .catch(undefined),
    })
    .default({})
    // Tools write anything here; only the cells matter.
    .catch({}),
});

/** A Jupyter notebook as Markdown: prose unchanged, code in fences, then the text of outputs. */
export function readNotebook(bytes: Uint8Array): Extraction {
  const notebook = Notebook.safeParse(parseJson(decode(bytes) ?? ""));
  if (!notebook.success) return { unreadable: "not a Jupyter notebook of format 4" };
  const { cells, metadata } = notebook.data;
  const language = metadata.language_info?.name ?? "python";
  const author = metadata.authors?.map(({ name }) => name).join(", ");
  return {
    body: cells
      .map((cell) => showCell(cell, language))
      .filter((text) => text !== "")
      .join("\n\n"),
    ...(metadata.title && { title: metadata.title }),
    ...(author && { author }),
  };
}

function showCell({ cell_type, source, outputs }: z.output<typeof Cell>, language: string): string {
  if (source.trim() === "") return "";
  if (cell_type !== "code") return source.trim();
  const said = outputs
    .map((output) => output.text ?? output.data?.["text/plain"] ?? "")
    .join("")
    .trim()
    .slice(0, MOST_OUTPUT);
  const code = fenced(source.trimEnd(), language);
  return said === "" ? code : `${code}\n\n${fenced(said, "output")}`;
}

/** The fence is longer than any inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
