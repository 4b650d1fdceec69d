import { z } from "zod";
import type { SharedSkill } from "../memory-for-clients.ts";
import { oneLine, visible } from "./rendering.ts";

/** The rule of the skill format. It also prevents names that are paths. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const OWNER = { key: "managed-by", value: "contextful" } as const;

export const isSkillName = (name: string): boolean => name.length <= 64 && NAME.test(name);

const SkillHead = z.looseObject({
  name: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  license: z.string().optional().catch(undefined),
  compatibility: z.string().optional().catch(undefined),
  metadata: z.record(z.string(), z.string()).optional().catch(undefined),
});

interface SkillFile {
  readonly head: z.infer<typeof SkillHead>;
  readonly body: string;
}

/** The head and body of a SKILL.md; without a head, an empty one. */
export async function readSkillFile(text: string): Promise<SkillFile> {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const parts = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)([\s\S]*)$/.exec(plain);
  const { parse } = await import("yaml");
  try {
    const head = SkillHead.safeParse(parse(parts?.[1] ?? "", { maxAliasCount: 0, logLevel: "error" }) ?? {});
    if (head.success) return { head: head.data, body: parts?.[2] ?? plain };
  } catch {
    // A head that is not YAML is ignored.
  }
  return { head: {}, body: parts?.[2] ?? plain };
}

export const isOurs = ({ head }: SkillFile): boolean => head.metadata?.[OWNER.key] === OWNER.value;

/** The SKILL.md for clients. The head has only known fields, so that no entry can grant itself tools. */
export async function printSkillFile(skill: SharedSkill): Promise<string> {
  const { head, body } = await readSkillFile(skill.content);
  const { stringify } = await import("yaml");
  const printed = stringify(
    {
      name: skill.name,
      description: oneLine(skill.description).slice(0, 1024) || skill.name,
      ...(head.license !== undefined && { license: oneLine(head.license) }),
      ...(head.compatibility !== undefined && { compatibility: oneLine(head.compatibility).slice(0, 500) }),
      metadata: { [OWNER.key]: OWNER.value },
    },
    { lineWidth: 0 },
  );
  return `---\n${printed}---\n\n${visible(body).trim()}\n`;
}
