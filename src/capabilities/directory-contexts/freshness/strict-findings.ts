import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../../core/tool.ts";
import { listedFiles } from "../generate/draft.ts";
import { internalDependencies } from "../generate/imports/dependencies.ts";
import { type ImportMap, openImportMap } from "../generate/imports/import-map.ts";
import { manifestsAmong } from "../generate/sources/manifests.ts";
import { readSources, type SourceFile } from "../generate/sources/sources.ts";
import { parseYaml, readBounded } from "../read/read-context.ts";
import type { ProjectSurvey, SurveyEntry } from "../read/survey.ts";
import type { StrictFinding } from "../reports.ts";
import { CONTEXT_FILE, type DirectoryContext, unknownKeys } from "../schema.ts";
import { problemOf } from "./status.ts";

type ReportFinding = (level: StrictFinding["level"], rule: string, message: string) => void;

/** Where contexts do not follow the schema or do not match the files. */
export async function strictFindings({ root, entries }: ProjectSurvey, call: Call): Promise<StrictFinding[]> {
  const present = entries.filter((entry) => entry.reading.kind !== "missing");
  const imports = openImportMap(root);
  const findings: StrictFinding[] = [];
  for (const [done, entry] of present.entries()) {
    call.signal.throwIfAborted();
    call.progress.report({ done, total: present.length, label: "contexts" });
    const report: ReportFinding = (level, rule, message) =>
      findings.push({ scope: entry.scope, level, rule, message });
    const problem = problemOf(entry);
    if (problem !== undefined) report("error", "schema", problem);
    if (entry.reading.kind !== "read") continue;
    const checked = { context: entry.reading.context, report };
    checkFile(root, entry.scope, checked);
    if (entry.scope === ".") checkRoot(checked, entries.length > 1);
    await compare(root, entry, { ...checked, imports });
  }
  return findings;
}

/** Findings of level `info` never fail. */
export const isFailure = ({ level }: StrictFinding): boolean => level !== "info";

interface CheckedContext {
  readonly context: DirectoryContext;
  readonly report: ReportFinding;
}

/** What the schema accepts but a person should know. */
function checkFile(root: string, scope: string, { context, report }: CheckedContext): void {
  const text = readBounded(join(root, scope, CONTEXT_FILE));
  const raw = typeof text === "string" ? parseYaml(text) : { reason: "" };
  for (const key of "value" in raw ? unknownKeys(raw.value, context) : []) {
    report("warning", "unknown-key", `${key} is not in the schema and is not served`);
  }
  if (context.scope !== scope)
    report("warning", "scope", `scope is ${context.scope}, the file lies in ${scope}`);
}

/** A project of one directory has no structure. */
function checkRoot({ context, report }: CheckedContext, hasDirectories: boolean): void {
  if (!context.project || (hasDirectories && !context.structure))
    report("info", "root-fields", "the root has no project or no structure");
}

async function compare(
  root: string,
  entry: SurveyEntry,
  { imports, ...checked }: CheckedContext & { readonly imports: ImportMap },
): Promise<void> {
  const { context, report } = checked;
  const sources = await readSources(root, entry.directory);
  compareFiles(join(root, entry.scope), sources, checked);
  compareInterfaces(sources, checked);
  const declared = context.dependencies?.internal ?? [];
  if (declared.length === 0) return;
  const manifests = manifestsAmong(sources);
  const found = internalDependencies({ scope: entry.scope, sources, manifests }, imports);
  for (const name of found.filter((each) => !declared.includes(each))) {
    report("info", "undeclared-dependency", `imports ${name}, which is not declared`);
  }
  for (const name of declared.filter((each) => !found.includes(each))) {
    report("info", "unused-dependency", `declares ${name}, which no file imports`);
  }
}

/** A context without a list of files claims nothing about them. Files that do not fit a full list are not missed. */
function compareFiles(
  directory: string,
  sources: readonly SourceFile[],
  { context: { files }, report }: CheckedContext,
): void {
  if (files === undefined) return;
  for (const { name, test_file } of files) {
    if (!existsSync(join(directory, name))) report("warning", "phantom-file", `${name} is not there`);
    if (test_file !== undefined && !existsSync(join(directory, test_file))) {
      report("warning", "phantom-file", `${test_file}, the test of ${name}, is not there`);
    }
  }
  const listed = new Set(files.map(({ name }) => name));
  for (const { name } of listedFiles(directory, sources)) {
    if (!listed.has(name)) report("info", "unlisted-file", `${name} is not listed`);
  }
}

/** Only names that are identifiers can be searched for; `POST /login` cannot. */
function compareInterfaces(sources: readonly SourceFile[], { context, report }: CheckedContext): void {
  for (const { name } of context.interfaces ?? []) {
    const identifier = /^([A-Za-z_$][\w$]*)(\(|$)/.exec(name)?.[1];
    // A default export without a name is known by the name of its file.
    const isThere = ({ name: file, text }: SourceFile) =>
      file.startsWith(`${identifier}.`) || text.includes(identifier ?? "");
    if (identifier === undefined || sources.some(isThere)) continue;
    report("warning", "phantom-interface", `${identifier} is in none of the files`);
  }
}
