import { type Call, defineTool, type Tool } from "../../core/tool.ts";
import { ExportInput, ExportReport, isDrift, isRefused, showExport } from "./export/export-report.ts";
import { ImportInput, ImportReport, showImport } from "./import/import-report.ts";
import type { Setup } from "./setup/setup.ts";
import { SetupInput, SetupReport, showSetup } from "./setup/setup-report.ts";

export const setupTool = (setup: () => Promise<Setup>): Tool =>
  defineTool({
    room: "clients",
    name: "clients_setup",
    audience: "people",
    description:
      "Put contextful into the configuration of coding agents. Shows the exact change of every file first and asks; --yes writes it without asking, --undo restores the old state.",
    effect: "writes",
    command: {
      words: "setup",
      positional: ["clients"],
      examples: [
        "contextful setup                       shows what it would write for the clients found here, asks",
        "contextful setup claude-code cursor --yes",
        "contextful setup codex --scope user --tools all --yes",
        "contextful setup zed --print           only the entry",
        "contextful setup --undo",
      ],
      exitCode: ({ files, answer }) =>
        answer === "no" || files.some(({ action }) => action === "refused") ? 1 : 0,
    },
    input: SetupInput,
    output: SetupReport,
    run: async (input, call) => (await setup()).run(input, call),
    show: showSetup,
  });

export const exportTool = (exportMemory: (input: ExportInput) => Promise<ExportReport>): Tool =>
  defineTool({
    room: "clients",
    name: "clients_export",
    audience: "people",
    description:
      "Write the team's public conventions, knowledge, decisions and skills into the files a client reads. Only text between our own markers is changed.",
    effect: "writes",
    command: {
      words: "export",
      positional: ["client"],
      examples: [
        "contextful export claude-code",
        "contextful export cursor --plan",
        "contextful export --check",
      ],
      exitCode: (report) => (isRefused(report) ? 1 : !report.written && isDrift(report) ? 4 : 0),
    },
    input: ExportInput,
    output: ExportReport,
    run: (input) => exportMemory(input),
    show: showExport,
  });

export const importTool = (importFiles: (input: ImportInput, call: Call) => Promise<ImportReport>): Tool =>
  defineTool({
    room: "clients",
    name: "clients_import",
    audience: "people",
    description:
      "Read the rules and skills a client has in this project into the team's memory. Entries that the memory already has are not added again.",
    effect: "writes",
    command: {
      words: "import",
      positional: ["client"],
      examples: ["contextful import claude-code --plan", "contextful import cursor"],
      exitCode: ({ entries }) => (entries.some(({ action }) => action === "refused") ? 1 : 0),
    },
    input: ImportInput,
    output: ImportReport,
    run: (input, call) => importFiles(input, call),
    show: showImport,
  });
