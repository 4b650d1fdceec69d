import { z } from "zod";
import { DomainError } from "../../src/core/errors.ts";
import type { Machine } from "../../src/core/machine.ts";
import type { App } from "../../src/core/room-offer.ts";
import { defineTool, type Tool } from "../../src/core/tool.ts";
import { testMachine } from "./machine.ts";

/** An app of the given tools, without rooms. */
export const scratchApp = (tools: readonly Tool[], machine: Partial<Machine> = {}): App => ({
  machine: testMachine("/nowhere", machine),
  tools,
  resources: [],
  prompts: [],
  instructions: async () => undefined,
  doctor: async () => [],
  startBackground: () => {},
  close: async () => {},
});

/** Says back what it was told, or fails in the way it was asked to. */
export const echoTool = (room = "documents", overrides: Partial<Tool> = {}): Tool => ({
  ...defineTool({
    room,
    name: "echo.text",
    safeName: "echo_text",
    description: "Says back a text. For tests.",
    effect: "reads",
    input: z.object({
      text: z.string().describe("What to say"),
      times: z.int().min(1).max(10).default(1).describe("How often"),
      fail: z.enum(["found", "forbidden", "bug"]).optional().describe("How to fail"),
    }),
    output: z.object({ said: z.string() }),
    run: async ({ text, times, fail }) => {
      if (fail === "found") throw new DomainError("not_found", `Nothing here: ${text}`);
      if (fail === "forbidden")
        throw new DomainError("forbidden_path", "Not allowed", { details: { param: "text" } });
      if (fail === "bug") throw new Error("secret path /home/u/x");
      return { said: text.repeat(times) };
    },
    show: ({ said }) => said,
  }),
  ...overrides,
});

/** Answers when its call is cancelled, and counts the calls that are running. */
export function waitingTool() {
  const started: (() => void)[] = [];
  const state = { running: 0, cancelled: 0 };
  const tool = defineTool({
    room: "documents",
    name: "wait",
    description: "Waits until it is cancelled. For tests.",
    effect: "reads",
    input: z.object({ steps: z.int().default(0) }),
    output: z.object({}),
    run: async ({ steps }, call) => {
      state.running += 1;
      for (const begin of started.splice(0)) begin();
      for (let done = 1; done <= steps; done += 1)
        call.progress.report({ done, total: steps, label: "steps" });
      if (steps > 0) return {};
      await new Promise<void>((resolve) => {
        call.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      state.cancelled += 1;
      return {};
    },
    show: () => "",
  });
  return { tool, state, nextStart: () => new Promise<void>((resolve) => void started.push(resolve)) };
}
