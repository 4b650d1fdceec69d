import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import { KINDS, PACK_ROOMS, SOURCE_ROOMS } from "./item.ts";
import type { PackBuilder } from "./pack-builder.ts";
import { Receipt } from "./render/receipt.ts";

export const PackInput = z.object({
  task: z.string().trim().min(1).max(20_000).describe("What you are about to do, in a sentence or two"),
  budget: z.int().min(500).max(200_000).default(8000).describe("Most tokens the answer may have (o200k)"),
  path: z.string().optional().describe("Directory of the project; default: the served one"),
  rooms: z.array(z.enum(SOURCE_ROOMS)).min(1).optional().describe("Only these rooms"),
  diff: z.string().optional().describe("Git range BASE..HEAD: what changed and what it touches"),
  except: z
    .array(z.string())
    .max(50)
    .optional()
    .describe("Pack ids you already have: their items are not repeated"),
  receipt: z
    .enum(["short", "full"])
    .optional()
    .describe("short (default): at most a tenth of the budget; full: why each item was taken or left out"),
});

export const PackOutput = z.object({
  pack_id: z.string(),
  task: z.string(),
  budget: z.int(),
  tokens: z.int(),
  items: z.array(
    z.object({
      id: z.string(),
      room: z.enum(PACK_ROOMS),
      kind: z.enum(KINDS),
      title: z.string(),
      size: z.string(),
      score: z.number(),
      why: z.string(),
      provenance: z.string(),
      freshness: z.string(),
      path: z.string(),
      start: z.int(),
      end: z.int(),
      text: z.string(),
      orders: z.array(z.int()),
      redacted: z.array(z.string()),
    }),
  ),
  receipt: Receipt,
  markdown: z.string(),
});

export const VerifyOutput = z.object({
  pack_id: z.string(),
  same: z.boolean(),
  pack_id_now: z.string(),
  rooms_changed: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});

export const packTools = (packs: () => Promise<PackBuilder>): readonly Tool[] => [
  defineTool({
    room: "packs",
    name: "context_pack",
    title: "Context pack",
    description:
      "Everything relevant to a task in one answer within a token budget: conventions, decisions, directory summaries, code and documents, each cited. Call it first when you start a task; the receipt lists what was left out.",
    effect: "reads",
    route: { method: "POST", path: "/tools/pack" },
    command: {
      words: "pack",
      positional: ["task"],
      flags: { rooms: "only" },
      examples: [
        'contextful pack "add retries to the upload client"',
        'contextful pack "review this change" --diff main..HEAD --budget 4000',
        'contextful pack "rotate the signing key" --only team-memory,code-index --except 0123456789abcdef',
      ],
    },
    input: PackInput,
    output: PackOutput,
    run: async (input, call) => (await packs()).pack(input, call),
    show: ({ markdown }) => markdown,
    forModel: ({ markdown }) => markdown,
  }),
  defineTool({
    room: "packs",
    name: "pack_verify",
    description: "Build a pack again and show whether it is the same or what changed.",
    effect: "reads",
    audience: "people",
    command: {
      words: "pack verify",
      positional: ["pack_id"],
      examples: ["contextful pack verify 0123456789abcdef"],
      exitCode: ({ same }) => (same ? 0 : 4),
    },
    input: z.object({
      pack_id: z.string().describe("The id in the second line of a pack"),
      path: z.string().optional().describe("Directory of the project; default: the served one"),
    }),
    output: VerifyOutput,
    run: async ({ pack_id, path }, call) => (await packs()).verify(pack_id, path, call),
    show: showVerdict,
  }),
];

function showVerdict({
  pack_id,
  same,
  rooms_changed,
  added,
  removed,
  changed,
}: z.output<typeof VerifyOutput>): string {
  if (same) return `${pack_id}: the same bytes again`;
  const list = (label: string, ids: readonly string[]) => ids.map((id) => `  ${label} ${id}`);
  return [
    `${pack_id}: changed since${rooms_changed.length > 0 ? ` (${rooms_changed.join(", ")})` : ""}`,
    ...list("+", added),
    ...list("-", removed),
    ...list("~", changed),
  ].join("\n");
}
