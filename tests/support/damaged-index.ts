import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { openCodeRoom } from "../../src/app/code-room.ts";
import { DomainError } from "../../src/core/errors.ts";
import type { Machine } from "../../src/core/machine.ts";
import { invoke, invokeView } from "../../src/core/tool.ts";
import { openProject } from "./code-project.ts";
import { testCall } from "./machine.ts";

const FILES = {
  "src/orders.ts":
    "export interface Order { id: string; total: number }\n\n/** Pays back. */\nexport function refundOrder(order: Order) {\n  return -order.total;\n}\n",
  "src/shop.ts":
    'import { type Order, refundOrder } from "./orders.ts";\n\nexport const closeShop = (orders: Order[]) => orders.map(refundOrder);\n',
  "docs/notes.md": "# Refunds\n\nRefund an order within 30 days.\n",
  "main.go":
    "package main\n\n// Ledger keeps refunds.\ntype Ledger struct{ total int }\n\nfunc (l *Ledger) Add(n int) { l.total += n }\n",
};

const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["search_code", { query: "refund order", search_mode: "keyword" }],
  ["code_search", { query: "refund[A-Z]", match: "regex" }],
  ["outline", { path: "src/orders.ts" }],
  ["outline", { path: "." }],
  ["find_references", { symbol: "refundOrder" }],
  ["find_symbol", { symbol: "Order" }],
];

const NOT_INDEXED = "not indexed";

/** Asks in a room of its own, as another process would. */
async function withRoom<T>(machine: Machine, use: (call: CallTool) => Promise<T>): Promise<T> {
  const room = openCodeRoom(machine);
  try {
    return await use(async (name, input) => {
      const tool = room.tools.find((one) => one.name === name || one.agentView?.name === name);
      const view = tool?.agentView;
      if (!tool) throw new Error(`no ${name}`);
      if (view?.name !== name) return invoke(tool, input, testCall());
      const context = { root: await machine.roots.directory() };
      return (await invokeView({ tool, view, context }, input, testCall())).output;
    });
  } finally {
    await room.close();
  }
}
type CallTool = (name: string, input: Record<string, unknown>) => Promise<unknown>;

const answersOf = (machine: Machine, root: string) =>
  withRoom(machine, async (call) => {
    const answers: string[] = [];
    for (const [name, input] of QUESTIONS) {
      const answer = await call(name, name === "search_code" ? { path: root, ...input } : input);
      answers.push(JSON.stringify(answer).replace(/"search_duration_ms":[\d.]+| in \d+ms/g, ""));
    }
    return answers.join("\n");
  }).catch((thrown: unknown) => {
    if (thrown instanceof DomainError && thrown.code === "not_indexed") return NOT_INDEXED;
    throw thrown;
  });

/** Of all the bytes that the index's files have. */
function flipBit(directory: string, place: number, bit: number): void {
  const files = readdirSync(directory).map((name) => join(directory, name));
  const sizes = files.map((file) => statSync(file).size);
  let at = place % sizes.reduce((sum, size) => sum + size, 0);
  for (const [index, file] of files.entries()) {
    const size = sizes[index] ?? 0;
    if (at < size) {
      const bytes = readFileSync(file);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(file, bytes);
      return;
    }
    at -= size;
  }
}

/** As if it had been written yesterday. */
export function makeOld(file: string): void {
  const yesterday = new Date(Date.now() - 86_400_000);
  utimesSync(file, yesterday, yesterday);
}

/** Flips `count` bits, one at a time: every answer is the same, or the index counts as missing and is made again. */
export async function expectNoWrongAnswer(count: number): Promise<void> {
  await using project = openProject(FILES);
  const { root, machine } = project;
  const { directory } = project.data;
  const ask = () => answersOf(machine, root);
  await project.index();
  await project.room.close();
  const whole = join(directory, "..", "..", "whole");
  cpSync(directory, whole, { recursive: true });
  const expected = await ask();
  expect(expected).toContain("refundOrder");
  await fc.assert(
    fc.asyncProperty(fc.nat(10_000_000), fc.nat(7), async (place, bit) => {
      rmSync(directory, { recursive: true });
      cpSync(whole, directory, { recursive: true, preserveTimestamps: true });
      flipBit(directory, place, bit);
      for (const name of readdirSync(directory)) if (name.endsWith("-sum")) makeOld(join(directory, name));
      const answered = await ask();
      if (answered === NOT_INDEXED) await withRoom(machine, (call) => call("index_codebase", { path: root }));
      expect(answered === NOT_INDEXED ? await ask() : answered).toBe(expected);
    }),
    { numRuns: count },
  );
}
