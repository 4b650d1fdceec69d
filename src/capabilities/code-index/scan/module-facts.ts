import { join } from "node:path";
import { readText } from "../../../core/scan/read-text.ts";

interface ModuleFacts {
  readonly moduleName: string;
  readonly goVersion: string;
}

/** A directory's own go.mod, else the name in its package.json: a nested module does not name the project. */
export function moduleFacts(directory: string): ModuleFacts {
  const goMod = textOf(join(directory, "go.mod"));
  if (goMod !== undefined) {
    const moduleName = /^\s*module\s+"?([^\s"/][^\s"]*)"?/m.exec(goMod)?.[1] ?? "";
    return { moduleName, goVersion: /^\s*go\s+([\d.]+\w*)/m.exec(goMod)?.[1] ?? "" };
  }
  return { moduleName: nameIn(textOf(join(directory, "package.json")) ?? "{}"), goVersion: "" };
}

function textOf(file: string): string | undefined {
  const read = readText(file);
  return "text" in read ? read.text : undefined;
}

function nameIn(manifest: string): string {
  try {
    const parsed: unknown = JSON.parse(manifest);
    if (typeof parsed !== "object" || parsed === null || !("name" in parsed)) return "";
    return typeof parsed.name === "string" ? parsed.name : "";
  } catch {
    return "";
  }
}
