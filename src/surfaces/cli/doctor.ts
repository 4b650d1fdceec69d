import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App, Finding } from "../../core/room-offer.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import { machineFindings } from "../machine-findings.ts";
import { ROOMS } from "../rooms.ts";
import type { CliContext } from "./cli-context.ts";
import { FAILURE, OK } from "./exit-codes.ts";
import { safeJson } from "./printed.ts";

/** Says what works here, what does not, and what the tool list costs a model. */
export async function doctor(context: CliContext, app: App, isJson: boolean): Promise<number> {
  const findings = [...(await machineFindings(context.cwd, app.machine.home)), ...(await rooms(app))];
  const sizes = await toolListSizes(context, app);
  if (isJson) context.out(`${safeJson({ version: context.version, findings, tool_list: sizes }, 2)}\n`);
  else context.out(report(findings, sizes));
  return findings.some(({ state }) => state === "problem") ? FAILURE : OK;
}

interface ToolListSize {
  readonly profile: string;
  readonly tools: number;
  readonly tokens: number;
}

function report(findings: readonly Finding[], sizes: readonly ToolListSize[]): string {
  const MARK = { ok: "ok     ", note: "note   ", problem: "PROBLEM" } as const;
  const lines = findings.map(
    ({ name, state, detail }) => `${MARK[state]}  ${name.padEnd(18)} ${escapeControl(detail)}`,
  );
  const table = sizes.map(
    ({ profile, tools, tokens }) =>
      `  ${profile.padEnd(20)} ${String(tools).padStart(3)} ${(tools === 1 ? "tool" : "tools").padEnd(5)} ${String(tokens).padStart(6)} tokens`,
  );
  return `${lines.join("\n")}\n\nTool definitions, as a model reads them:\n${table.join("\n")}\n`;
}

async function rooms(app: App): Promise<readonly Finding[]> {
  try {
    return await app.doctor();
  } catch (thrown) {
    return [
      { name: "rooms", state: "problem", detail: thrown instanceof Error ? thrown.message : String(thrown) },
    ];
  }
}

async function toolListSizes(context: CliContext, app: App): Promise<readonly ToolListSize[]> {
  const count = await loadTokenizer();
  const sizes: ToolListSize[] = [];
  for (const profile of ["all", "lean", ...ROOMS]) {
    const tools = await context.services.toolDefinitions(app, profile);
    if (tools.length > 0) sizes.push({ profile, tools: tools.length, tokens: count(JSON.stringify(tools)) });
  }
  return sizes;
}
