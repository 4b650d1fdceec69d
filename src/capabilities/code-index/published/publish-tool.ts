import { z } from "zod";
import { defineTool, type Tool } from "../../../core/tool.ts";
import type { LoadedCodeIndex } from "../code-index.ts";
import { projectDirectory, WAIT } from "../commands.ts";

const Publication = z.object({
  project: z.string().describe("The repository, by its first commits"),
  name: z.string(),
  commit: z.string(),
  published_at: z.string(),
  blocks: z.int().describe("How many blocks the index has"),
  new_blocks: z.int().describe("How many of them the store did not have"),
  new_bytes: z.int(),
});
type Publication = z.infer<typeof Publication>;

/** For workers and continuous integration: nothing else ever publishes. */
export const publishTool = (behaviour: () => Promise<LoadedCodeIndex>): Tool =>
  defineTool({
    room: "code-index",
    name: "code_publish",
    description: "Publish the index of the checked-out commit to the team's store",
    effect: "writes",
    audience: "people",
    command: {
      words: "publish",
      positional: ["path"],
      examples: [
        "contextful code publish",
        "contextful code publish . --to postgres://ci@db/contextful --wait",
      ],
    },
    input: z.object({
      path: z.string().min(1, "must not be empty").default(".").describe("The project's directory"),
      to: z
        .string()
        .min(1)
        .optional()
        .describe("A directory, or a postgres: or https: URL; default: [team] url of your own configuration"),
      name: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("What people call the project; default: its remote's name"),
      repair: z.boolean().default(false).describe("Read every stored block and replace damaged ones"),
      wait: WAIT,
    }),
    output: Publication,
    async run({ path, ...options }, call) {
      const code = await behaviour();
      const published = await (await code.publishing()).publishTo(
        projectDirectory(code.root, path),
        options,
        call,
      );
      const { generation, blocks, newBlocks, newBytes } = published;
      const { project, name, commit, published_at } = generation;
      return { project, name, commit, published_at, blocks, new_blocks: newBlocks, new_bytes: newBytes };
    },
    show: ({ name, commit, blocks, new_blocks, new_bytes }: Publication) =>
      `Published ${name} at ${commit.slice(0, 12)}: ${new_blocks} of ${blocks} blocks are new (${(new_bytes / 1e6).toFixed(1)} MB).`,
  });
