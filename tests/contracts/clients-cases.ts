import { openClients } from "../../src/capabilities/clients/index.ts";
import { openTeamMemory } from "../../src/capabilities/team-memory/index.ts";
import { invoke } from "../../src/core/tool.ts";
import { ROOMS } from "../../src/surfaces/rooms.ts";
import { testCall, testMachine } from "../support/machine.ts";

/** A person's machine: a project and a home of their own, nothing else on the PATH. */
export function person(root: string, home: string, env: Readonly<Record<string, string>> = {}) {
  const machine = testMachine(root, {
    home: `${home}/.local/share/contextful`,
    env: { HOME: home, PATH: "", ...env },
  });
  return machine;
}

/** Runs `setup` for them; returns the report and what is shown. */
export async function setup(machine: ReturnType<typeof person>, input: Readonly<Record<string, unknown>>) {
  return runClients(machine, "clients_setup", input);
}

/** Runs a tool of the room with the team's memory, as the app does. */
export async function runClients(
  machine: ReturnType<typeof person>,
  name: string,
  input: Readonly<Record<string, unknown>>,
) {
  const { tools } = openClients(machine, openTeamMemory(machine).forClients, ROOMS);
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const output = await invoke(tool, input, testCall({ caller: "person" }));
  return { output, shown: tool.show(output), exitCode: tool.command?.exitCode?.(output) ?? 0 };
}

const SERVERS_KEY: Readonly<Record<string, string>> = {
  vscode: "servers",
  zed: "context_servers",
  opencode: "mcp",
};
export const serversKey = (client: string): string => SERVERS_KEY[client] ?? "mcpServers";

/** Files as people write them, for a client that keeps servers under this key. */
export const jsonForms = (key: string): Readonly<Record<string, string | undefined>> => ({
  "no file": undefined,
  "an empty file": "",
  "an empty object": "{}",
  "an object with only a comment": "{\n  // nothing yet\n}\n",
  "another server and unknown keys": `{\n  "theme": "dark",\n  "${key}": {\n    "other": { "command": "x", "args": [] }\n  },\n  "zzz": [1, 2]\n}\n`,
  "comments everywhere": `// top\n{\n  /* block */ "${key}": { // servers\n    "other": { "command": "x" } // the other one\n    // "old": {}\n  }, // after\n  "a": 1 // last\n}\n// end\n`,
  "a trailing comma": `{\n  "${key}": {\n    "other": { "command": "x" }, // mine\n  },\n}\n`,
  "CRLF line ends": `{\r\n\t"a": true,\r\n\t"${key}": {\r\n\t\t"other": {}\r\n\t}\r\n}\r\n`,
  "a byte order mark": `\uFEFF{\n    "a": 1\n}\n`,
  "no final newline": `{\n  "${key}": {}\n}`,
  "one line": `{"a":1,"${key}":{"other":{"command":"x"}}}`,
});

export const TOML_FORMS: Readonly<Record<string, string | undefined>> = {
  "no file": undefined,
  "an empty file": "",
  "another server and comments": `# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "y"\nargs = [\n  "a", # one\n  ["nested"],\n]\n\n# profiles\n[profiles.fast]\nmodel = "z"\n`,
  "CRLF line ends": `model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n`,
  "a byte order mark": `\uFEFFmodel = "x"\n`,
  "no final newline": `[tui]\nnotifications = true`,
  "a string that looks like our table": `note = """\n[mcp_servers.contextful]\n"""\n`,
};
