import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openApp, openMachine } from "../../src/app.ts";
import { projectAt } from "../../src/capabilities/code-index/store/project.ts";
import { lockProject } from "../../src/capabilities/code-index/store/run-lock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { invoke } from "../../src/core/tool.ts";
import { testCall } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

export type Files = Readonly<Record<string, string>>;

/** A small project of every room. */
export const PROJECT: Files = {
  "go.mod": "module example.org/mail\n\ngo 1.22\n",
  "contextful.toml": '[connectors.filesystem.docs]\nroot = "docs"\n',
  "send/send.go":
    '// Package send delivers mail.\npackage send\n\n// Deliver sends a message and retries when the relay is busy.\nfunc Deliver(to string, tries int) error {\n\tfor attempt := 0; attempt < tries; attempt++ {\n\t\tif relay(to) {\n\t\t\treturn nil\n\t\t}\n\t}\n\treturn errBusy\n}\n\nfunc relay(to string) bool { return to != "" }\n',
  "send/send_test.go":
    'package send\n\nimport "testing"\n\nfunc TestDeliverGivesUp(t *testing.T) {\n\tif Deliver("", 2) == nil {\n\t\tt.Fatal("delivered")\n\t}\n}\n',
  "main.go":
    'package main\n\nimport "example.org/mail/send"\n\n// main delivers one message.\nfunc main() { _ = send.Deliver("ana", 3) }\n',
  "docs/relay.md":
    "# Relay\n\n## Busy relays\nA busy relay answers 451; deliver again after a minute.\n\n## Colours\nThe lamp of the relay is green.\n",
  ".context-teleport/conventions/retries.md": "Every retry waits twice as long as the one before it.\n",
  ".context-teleport/knowledge/decisions/0001-one-relay.md":
    "# 0001 - One relay\n\n**Date**: 2026-01-02\n**Status**: accepted\n**Author**: mcp:unknown\n\n## Context\nTwo relays delivered twice.\n\n## Decision\nMail is delivered through one relay only.\n\n## Consequences\nIt may be busy.\n",
  ".context-teleport/manifest.json":
    '{"schema_version":"0.4.0","project":{"name":"mail","id":"5b0c3a0e-6a39-4f0a-8e0e-0d5f6f9e7c11","repo_url":""},"adapters":{},"team":{"members":[]},"languages":[],"build_systems":[],"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}\n',
  "send/.context.yaml":
    'version: 1\nscope: send\nsummary: Delivers mail\n  through the relay.\nlast_updated: "2026-01-02T03:04:05Z"\nfingerprint: "00000000"\nmaintenance: Keep it short.\n',
};
export const TASK = "retry delivery when the relay is busy";

export const PackAnswer = z.object({
  pack_id: z.string(),
  budget: z.int(),
  tokens: z.int(),
  markdown: z.string(),
  items: z.array(
    z.object({
      id: z.string(),
      room: z.string(),
      kind: z.string(),
      title: z.string(),
      size: z.string(),
      why: z.string(),
      provenance: z.string(),
      freshness: z.string(),
      path: z.string(),
      start: z.int(),
      end: z.int(),
      text: z.string(),
      orders: z.array(z.int()),
      redacted: z.array(z.string()),
    }),
  ),
  receipt: z.object({
    left_out: z.array(z.object({ title: z.string(), reason: z.string() })),
    empty_rooms: z.array(z.object({ room: z.string(), reason: z.string(), command: z.string().optional() })),
  }),
});

/** A project on disk, in a repository of its own, and the real app over it. */
export function packsProject(files: Files = PROJECT) {
  const directory = tempDir();
  const root = join(directory.path, "project");
  const home = join(directory.path, "home");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "start");
  const env = { PATH: process.env["PATH"], CONTEXTFUL_HOME: home };
  const app = openApp(openMachine({ root, env, logger: silentLogger }));
  const call = (name: string, input: unknown, given = testCall()) => {
    const tool = app.tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return invoke(tool, input, given);
  };
  return {
    root,
    home,
    env,
    app,
    git,
    write,
    call,
    /** Keeps the code index as it is until the lock is released. */
    lockIndex: () => lockProject(projectAt(app.machine, root)),
    async fill() {
      await call("directories_rehash", {});
      await call("index_codebase", { path: root });
      await call("documents_sync", {});
    },
    pack: async (input: Readonly<Record<string, unknown>>) =>
      PackAnswer.parse(await call("context_pack", { task: TASK, ...input })),
    async [Symbol.asyncDispose]() {
      await app.close();
      directory[Symbol.dispose]();
    },
  };
}
