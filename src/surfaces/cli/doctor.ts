import { escapeControl } from "../../core/hygiene/invisible.ts";
import type { App, Finding } from "../../core/room-offer.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import { ROOMS } from "../../core/tool.ts";
import { FAILURE, OK } from "./exit-codes.ts";
import { machineFindings } from "./machine-findings.ts";
import { safeJson } from "./printed.ts";
import type { World } from "./world.ts";

/** Says what works here and what does not, and what the tool list costs a model. */
export async function doctor(world: World, app: App, isJson: boolean): Promise<number> {
  const findings = [...(await machineFindings(world.cwd, app.machine.home)), ...(await rooms(app))];
  const sizes = await toolListSizes(world, app);
  if (isJson) world.out(`${safeJson({ version: world.version, findings, tool_list: sizes }, 2)}\n`);
  else world.out(report(findings, sizes));
  return findings.some(({ state }) => state === "problem") ? FAILURE : OK;
}

interface Size {
  readonly profile: string;
  readonly tools: number;
  readonly tokens: number;
}

function report(findings: readonly Finding[], sizes: readonly Size[]): string {
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

async function toolListSizes(world: World, app: App): Promise<readonly Size[]> {
  const count = await loadTokenizer();
  const sizes: Size[] = [];
  for (const profile of ["all", "lean", ...ROOMS]) {
    const tools = await world.services.toolDefinitions(app, profile);
    if (tools.length > 0) sizes.push({ profile, tools: tools.length, tokens: count(JSON.stringify(tools)) });
  }
  return sizes;
}
