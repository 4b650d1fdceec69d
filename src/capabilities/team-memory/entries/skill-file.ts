import { DomainError } from "../../../core/errors.ts";

interface SkillHead {
  readonly name: string | undefined;
  readonly description: string;
}

const MAX_HEAD = 16 * 1024;
const MAX_DESCRIPTION = 1024;
/** The keys of the Agent Skills format; its validators refuse others. */
const KNOWN = new Set(["name", "description", "license", "compatibility", "metadata", "allowed-tools"]);
/** Plain YAML strings, so that most heads are read without a parser. */
const PLAIN_LINE = /^(name|description): ([A-Za-z][^:#&*!|>'"%@`{}[\],\\]*)$/;
const PLAIN_WORDS = new Set(["true", "false", "null", "yes", "no", "on", "off"]);

/** `---`, the head, `---`, a blank line, the text, a newline. */
export async function printSkill(name: string, description: string, instructions: string): Promise<string> {
  const { stringify } = await import("yaml");
  const head = stringify({ name, description }, { lineWidth: 0, blockQuote: false });
  return `---\n${head}---\n\n${instructions.trim()}\n`;
}

/** An invalid head gives no name and an empty description. */
export async function readSkillHead(file: string): Promise<SkillHead> {
  const head = splitHead(file)?.head ?? "";
  const lines = head.split("\n").filter((line) => line.trim() !== "");
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = PLAIN_LINE.exec(line.trimEnd()) ?? [];
    if (key !== undefined && value !== undefined && !PLAIN_WORDS.has(value.toLowerCase()))
      fields.set(key, value.trim());
  }
  if (fields.size === lines.length) {
    return { name: fields.get("name"), description: fields.get("description") ?? "" };
  }
  const parsed = await parseHead(head).catch(() => ({}));
  const text = (key: string) => {
    const value: unknown = Object.hasOwn(parsed, key) ? Reflect.get(parsed, key) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return { name: text("name"), description: text("description") ?? "" };
}

/** Checks a proposed SKILL.md: the rules of the format, and the name of this skill. */
export async function checkSkillFile(file: string, name: string): Promise<void> {
  const parts = splitHead(file);
  if (parts === undefined) throw refused("SKILL.md must begin with frontmatter between two lines of '---'.");
  const head = await parseHead(parts.head);
  const unknown = Object.keys(head).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw refused(`The frontmatter has the unknown key '${unknown}'.`);
  const { name: given, description } = { name: undefined, description: undefined, ...head };
  if (given !== name) throw refused(`The frontmatter's name must be '${name}'.`);
  checkDescription(typeof description === "string" ? description : "");
  if (parts.body.trim() === "") throw refused("The instructions are empty.");
}

export function checkDescription(description: string): void {
  if (description.trim() === "")
    throw refused("A skill needs a description of what it does and when to use it.");
  if ([...description].length > MAX_DESCRIPTION) {
    throw refused(`The description is too long: at most ${MAX_DESCRIPTION} characters.`);
  }
}

function splitHead(file: string): { head: string; body: string } | undefined {
  const text = file.startsWith("\ufeff") ? file.slice(1) : file;
  // A line ends only at `\n`, as for every other reader: all must agree on where the head ends.
  const match = /^---[ \t]*\r?\n((?:[\s\S]*?\n)??)---[ \t]*(?:\r?\n|$)/.exec(text.slice(0, MAX_HEAD));
  if (match === null) return undefined;
  return { head: (match[1] ?? "").replaceAll("\r\n", "\n"), body: text.slice(match[0].length) };
}

/** No aliases: a head needs none, and YAML bombs use them. */
async function parseHead(head: string): Promise<Record<string, unknown>> {
  const { parse } = await import("yaml");
  try {
    const value: unknown = parse(head, { maxAliasCount: 0, schema: "core", logLevel: "error" });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : "";
    throw refused(`The frontmatter is not valid YAML: ${why}`);
  }
  throw refused("The frontmatter must be a map of keys and values.");
}

const refused = (message: string) => new DomainError("invalid_input", message, { reason: "skill_format" });
