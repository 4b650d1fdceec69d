import { expect, test } from "vitest";
import { DomainError } from "../../core/errors.ts";
import type { RoomName } from "../rooms.ts";
import { ERROR_SHAPE } from "./error-shapes.ts";

const schema = (...params: readonly string[]) =>
  new DomainError("invalid_input", "wrong", {
    reason: "schema",
    details: { param: params[0], params, issues: [] },
  });
const failed = (value: unknown, end = "") => ({ kind: "result", text: JSON.stringify(value) + end });
const rpc = (code: number, message: string, data: Record<string, unknown>) => ({
  kind: "rpc",
  code,
  message,
  data,
});

const CASES: readonly (readonly [room: RoomName, error: DomainError, expected: unknown])[] = [
  ["directory-contexts", new DomainError("internal", "Oops"), failed({ error: "Oops" })],
  ["team-memory", new DomainError("not_found", "Gone"), failed({ status: "error", error: "Gone" })],
  [
    "team-memory",
    new DomainError("not_found", "None", { reason: "no_skill" }),
    failed({ status: "error", error: "None" }),
  ],
  ...["scope", "entry_type", "no_entry"].map(
    (reason) =>
      ["team-memory", new DomainError("invalid_input", "Bad", { reason }), failed({ error: "Bad" })] as const,
  ),
  [
    "documents",
    new DomainError("not_found", "Gone"),
    failed({ error: { code: "not_found", message: "Gone" } }),
  ],
  ["documents", schema("query"), failed({ error: { code: "bad_request", message: "wrong" } })],
  [
    "documents",
    new DomainError("unavailable", "Off", { reason: "embeddings_disabled" }),
    failed({ error: { code: "embeddings_disabled", message: "Off" } }),
  ],
  [
    "context-caches",
    new DomainError("not_found", "Cache does not exist", { reason: "cache_missing" }),
    failed({ error: { code: "cache_missing", message: "Cache does not exist" } }, "\n"),
  ],
  [
    "context-caches",
    schema("query", "budget"),
    failed({ error: { code: "invalid_budget", message: "Budget is invalid" } }, "\n"),
  ],
  [
    "context-caches",
    schema("query"),
    failed({ error: { code: "invalid_query", message: "Query is invalid" } }, "\n"),
  ],
  ["context-caches", schema("cache"), { kind: "rpc", code: -32602, message: "Invalid params: wrong" }],
  [
    "context-caches",
    new DomainError("internal", "secret"),
    failed({ error: { code: "internal_error", message: "Internal error" } }, "\n"),
  ],
  ["code-index", schema("path"), rpc(-32602, "Invalid params", { param: "path", reason: "wrong" })],
  [
    "code-index",
    new DomainError("forbidden_path", "No", { details: { param: "path" } }),
    rpc(-32602, "Invalid params", { param: "path", reason: "No" }),
  ],
  ["code-index", new DomainError("internal", "Oops"), rpc(-32603, "Internal error", { reason: "Oops" })],
  [
    "code-index",
    new DomainError("not_found", "No code", { reason: "not_a_project" }),
    rpc(-32001, "Project not found", { reason: "No code" }),
  ],
  [
    "code-index",
    new DomainError("busy", "Wait", { reason: "already_indexing" }),
    rpc(-32002, "Indexing in progress", { reason: "Wait" }),
  ],
  [
    "code-index",
    new DomainError("not_indexed", "Index it"),
    rpc(-32003, "Project not indexed", { reason: "Index it" }),
  ],
  [
    "code-index",
    new DomainError("invalid_input", "Say something", { reason: "empty_query" }),
    rpc(-32004, "Empty query", { reason: "Say something" }),
  ],
];

test.each(CASES)("%s says a failure as its contract does: %o", (room, error, expected) => {
  expect(ERROR_SHAPE[room](error)).toEqual(expected);
});
