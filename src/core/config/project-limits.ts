import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { DomainError } from "../errors.ts";
import { isInside } from "../files/allowed-roots.ts";

/** Keys that would let a project's file run a program, send data elsewhere or widen access; `*` is any name. */
const ONLY_OWN = [
  ["connectors", "command"],
  ["directories", "command"],
  ["connectors", "web", "*", "allow_private_addresses"],
  // The token would be sent to this host.
  ...["github", "gitlab"].flatMap((forge) =>
    ["url", "token_env", "allow_private_addresses"].map((key) => ["connectors", forge, "*", key]),
  ),
  // Requests to this address are signed with the user's own keys.
  ["connectors", "s3", "*", "endpoint_url"],
  ["llm"],
  ["team"],
  ["embedding", "url"],
  ["embedding", "api_key_env"],
];

/** A remote address. A path or a `file:` URL could name another repository on this machine. */
const REMOTE = /^(?:https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:/i;
const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\]):\d{1,5}$/;

/** A project is written by others: its file may restrict and describe, but never reach outside the project. */
export function refuseInProject(
  table: unknown,
  { root, ownFile }: { readonly root: string; readonly ownFile: string },
): void {
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
  for (const type of ["filesystem", "commits", "packages"]) {
    for (const [name, folder] of stringsAt(table, ["connectors", type], "root")) {
      if (!isInside(realPathOf(root), realPathOf(resolve(root, folder))))
        refuse(`connectors.${type}.${name}.root`, "cannot lead out of the project");
    }
  }
  for (const [name, url] of stringsAt(table, ["connectors", "git"], "url")) {
    if (!REMOTE.test(url)) refuse(`connectors.git.${name}.url`, "cannot name a repository of this machine");
  }
  const bind = valueAt(table, ["server", "bind"]);
  if (typeof bind === "string" && !LOOPBACK.test(bind)) {
    refuse("server.bind", "cannot leave this machine's loopback address in a project");
  }
}

/** The string values of one key in every named table. */
function stringsAt(table: unknown, path: readonly string[], key: string): [name: string, text: string][] {
  const named = valueAt(table, path);
  return Object.keys(typeof named === "object" && named !== null ? named : {}).flatMap((name) => {
    const text = valueAt(named, [name, key]);
    return typeof text === "string" ? [[name, text]] : [];
  });
}

/** The real path; if nothing is there, the path itself. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The first key in the table that matches the path, without wildcards. */
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
