import { z } from "zod";
import { openApp, openMachine } from "../src/app.ts";
import { type Command, commandsOf, formOf, type Tool } from "../src/core/tool.ts";
import { commandLine } from "../src/surfaces/cli/command-line.ts";
import { ROOMS } from "../src/surfaces/rooms.ts";

/** docs/reference.md, made from the tools. */
export function reference(): string {
  const { tools } = openApp(openMachine({ root: "/", env: { CONTEXTFUL_HOME: "/" } }));
  const rooms = ROOMS.map((room) =>
    section(
      room,
      tools.filter((tool) => tool.room === room),
    ),
  ).filter(Boolean);
  return `# Tools and commands

Made from the tool definitions by \`npm run docs\`; do not edit. Every command also takes \`--json\`, \`--root DIR\` and \`--help\`.

${rooms.join("\n")}`;
}

function section(room: string, tools: readonly Tool[]): string {
  if (tools.length === 0) return "";
  const forAgents = tools.filter((tool) => tool.audience !== "people");
  const commands = tools.flatMap((tool) => commandsOf(tool).map((command) => commandEntry(tool, command)));
  return [
    `## ${room}\n`,
    ...(forAgents.length > 0 ? ["### Tools\n", ...forAgents.flatMap(toolEntries)] : []),
    ...(commands.length > 0 ? ["### Commands\n", ...commands] : []),
  ].join("\n");
}

/** A tool, and its agent view. */
function toolEntries(tool: Tool): string[] {
  const { agentView: view } = tool;
  const names = [`\`${tool.name}\``, ...(tool.safeName ? [`safe name \`${tool.safeName}\``] : [])];
  const route = tool.route ? ` \`${tool.route.method} ${tool.route.path}\`.` : "";
  const own = `**${names.join(", ")}** (${tool.effect}).${route} ${tool.description}\n${parameters(tool.input)}`;
  if (!view) return [own];
  const seen = `**\`${view.name}\`** (${tool.effect}, \`${tool.name}\` for agents). ${view.description}\n${parameters(view.form)}`;
  return [own, seen];
}

function parameters(input: z.ZodObject): string {
  const fields = fieldsOf(input).map(
    ({ name, type, required, description }) =>
      `| \`${name}\` | ${type}${required ? "" : "?"} | ${cell(description)} |`,
  );
  return fields.length === 0 ? "" : `\n| parameter | type | |\n|---|---|---|\n${fields.join("\n")}\n`;
}

function commandEntry(tool: Tool, command: Command): string {
  const { positional = [], examples = [], description = tool.description } = command;
  const fields = fieldsOf(formOf(tool, command));
  const places = positional.map((name) => {
    const field = fields.find((known) => known.name === name);
    const word = name.replaceAll("_", "-").toUpperCase() + (field?.type.endsWith("[]") ? "…" : "");
    return field?.required ? word : `[${word}]`;
  });
  const flags = fields
    .filter(({ name }) => !positional.includes(name))
    .map(({ name, type }) => flag(command.flags?.[name] ?? name, type));
  const usage = [commandLine(tool, command), ...places, ...flags].join(" ");
  const shown = examples.length === 0 ? "" : `\n\n${examples.map((line) => `    ${line}`).join("\n")}`;
  return `\`${usage}\`\n: ${description}${shown}\n`;
}

function flag(name: string, type: string): string {
  const word = `--${name.replaceAll("_", "-")}`;
  return type === "boolean" ? `[${word}]` : `[${word} …]`;
}

function fieldsOf(form: z.ZodObject) {
  const schema = z.toJSONSchema(form, { io: "input", unrepresentable: "any" });
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shape = typeof property === "object" ? property : {};
    return {
      name,
      type: typeOf(shape),
      required: schema.required?.includes(name) ?? false,
      description: shape.description ?? "",
    };
  });
}

function typeOf(shape: Exclude<z.core.JSONSchema._JSONSchema, boolean>): string {
  if (shape.enum) return shape.enum.map(String).join(" / ");
  if (shape.type === "array") {
    const items = typeof shape.items === "object" && !Array.isArray(shape.items) ? shape.items : {};
    return `${items.type ?? "any"}[]`;
  }
  return typeof shape.type === "string" ? shape.type : "any";
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
