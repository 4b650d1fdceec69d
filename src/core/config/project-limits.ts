import { isAbsolute, normalize } from "node:path";
import { DomainError } from "../errors.ts";

/** What would let a project's file run a program, send data elsewhere or widen access; `*` is any name. */
const ONLY_OWN = [
  ["connectors", "command"],
  ["connectors", "web", "*", "allow_private_addresses"],
  // Requests there are signed with the user's own keys.
  ["connectors", "s3", "*", "endpoint_url"],
  ["llm"],
  ["embedding", "url"],
  ["embedding", "api_key_env"],
] as const;

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/;

/** A project comes from others: its file can narrow and describe, never reach out. */
export function refuseInProject(table: unknown, ownFile: string): void {
  const refuse = (key: string, why: string) => {
    throw new DomainError(
      "invalid_input",
      `contextful.toml: ${key} ${why}. It belongs into your own config.toml at ${ownFile}.`,
      { reason: "config", details: { key } },
    );
  };
  for (const path of ONLY_OWN) {
    const found = find(table, path);
    if (found !== undefined) refuse(found.join("."), "cannot be set by a project");
  }
  if (valueAt(table, ["embedding", "provider"]) === "openai") {
    refuse("embedding.provider", 'cannot be "openai" in a project: it sends text to a server');
  }
  const outside = outsideRoot(table);
  if (outside !== undefined) {
    refuse(`connectors.filesystem.${outside}.root`, "cannot lead out of the project");
  }
  const bind = valueAt(table, ["server", "bind"]);
  if (typeof bind === "string" && !LOOPBACK.test(bind)) {
    refuse("server.bind", "cannot leave this machine's loopback address in a project");
  }
}

/** A project may name folders of its own, never the user's others. */
function outsideRoot(table: unknown): string | undefined {
  const sources = valueAt(table, ["connectors", "filesystem"]);
  if (typeof sources !== "object" || sources === null) return undefined;
  return Object.keys(sources).find((name) => {
    const root = valueAt(sources, [name, "root"]);
    return typeof root === "string" && (isAbsolute(root) || /^\.\.(?:[\\/]|$)/.test(normalize(root)));
  });
}

/** The first key in the table that matches the path, spelled out. */
function find(table: unknown, path: readonly string[], seen: readonly string[] = []): string[] | undefined {
  const [head, ...rest] = path;
  if (head === undefined) return [...seen];
  if (typeof table !== "object" || table === null) return undefined;
  for (const [key, value] of Object.entries(table)) {
    if (head !== "*" && head !== key) continue;
    const found = find(value, rest, [...seen, key]);
    if (found) return found;
  }
  return undefined;
}

function valueAt(table: unknown, path: readonly string[]): unknown {
  let value = table;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}
