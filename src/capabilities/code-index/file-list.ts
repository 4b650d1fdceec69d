import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import type { CodeReader } from "./code-reader.ts";
import { projectDirectory } from "./commands.ts";
import type { CodeStore } from "./store/code-store.ts";
import { CHUNKS_PER_FILE } from "./store/tables.ts";

const ListedFile = z.object({
  path: z.string(),
  language: z.string().describe("Empty for a text file in no known language"),
  lines: z.int(),
  symbols: z.int(),
});
const FileList = z.object({
  files: z.array(ListedFile),
  files_changed: z.int().describe("How many files changed since they were indexed"),
});
export type FileList = z.infer<typeof FileList>;

/** The indexed files, for people and for the map of the page. */
export const fileListTool = (behaviour: () => Promise<CodeReader>): Tool =>
  defineTool({
    room: "code-index",
    name: "code_files",
    description: "List the indexed files of the project with language, lines and symbols",
    effect: "reads",
    audience: "people",
    command: {
      words: "files",
      positional: ["path"],
      examples: ["contextful code files", "contextful code files --json"],
    },
    input: z.object({
      path: z.string().min(1, "must not be empty").default(".").describe("The project's directory"),
    }),
    output: FileList,
    run: async ({ path }, call) => {
      const code = await behaviour();
      return code.files(projectDirectory(code.root, path), call);
    },
    show: ({ files }) =>
      files.map(({ path, language, lines }) => `${path}  ${lines} lines  ${language || "text"}`).join("\n"),
  });

/** In the order of their paths. The last line of the last chunk is the last line that is not empty. */
export function listFiles({ store }: CodeStore): FileList["files"] {
  const rows = store
    .prepare(
      `SELECT path, language, symbols, coalesce(
         (SELECT end_line FROM chunks WHERE id >= files.id * ${CHUNKS_PER_FILE} AND id < (files.id + 1) * ${CHUNKS_PER_FILE}
          ORDER BY id DESC LIMIT 1), 0) AS lines
       FROM files ORDER BY path`,
    )
    .all();
  return z.array(ListedFile).parse(rows);
}
