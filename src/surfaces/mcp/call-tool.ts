import { edgeError } from "../../core/edge-error.ts";
import type { NextStep } from "../../core/errors.ts";
import type { CleanedCounts } from "../../core/hygiene/index.ts";
import type { Logger } from "../../core/logger.ts";
import { type Call, invoke, invokeView, type Tool } from "../../core/tool.ts";
import type { CallLog } from "../call-log.ts";
import type { Queue } from "../queue.ts";
import { failureOf, type RpcFailure } from "./error-shapes.ts";
import { isRecord } from "./message.ts";
import { findTool, type NamedTool, nameOf, type ToolNames } from "./profiles.ts";

interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  /** Always present: a contract wants it, and no client minds. */
  readonly isError: boolean;
  /** What was removed from the answer, beside the contract's shape. */
  readonly _meta?: { readonly "contextful/cleaned": CleanedCounts };
}
export type ToolAnswer = { readonly result: ToolResult } | { readonly failure: RpcFailure };

export interface CallSettings {
  readonly queue: Queue;
  readonly logger: Logger;
  /** The served project. */
  readonly root: string;
  /** The tools this client may call, and the names it sees them by. */
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
  /** Told about every answered call. */
  readonly calls?: CallLog | undefined;
  /** The client's own name. */
  readonly client?: string | undefined;
}

/** Runs a tool when the queue has a place for it, and answers in the shape of its room's contract, or as text for an agent. */
export async function callTool(
  named: NamedTool,
  asked: ToolCallInput,
  settings: CallSettings,
): Promise<ToolAnswer> {
  const started = performance.now();
  let output: unknown;
  const answer = await answerCall(named, { ...asked, onOutput: (made) => (output = made) }, settings);
  void settings.calls?.add({
    surface: "mcp",
    client: settings.client,
    tool: named.view?.name ?? named.tool.name,
    input: asked.raw,
    output,
    given:
      "failure" in answer
        ? JSON.stringify(answer.failure)
        : answer.result.content.map(({ text }) => text).join("\n"),
    isError: "failure" in answer || answer.result.isError,
    milliseconds: performance.now() - started,
  });
  return answer;
}

async function answerCall(
  named: NamedTool,
  { raw, call, onOutput, isForAgent = answersWithText(named) }: ObservedInput,
  settings: CallSettings,
): Promise<ToolAnswer> {
  try {
    let counts: CleanedCounts | undefined;
    const onCleaned = (cleaned: CleanedCounts) => {
      counts = cleaned;
    };
    const notices: ToolResult["content"] = [];
    const notice = (text: string) => notices.push({ type: "text", text });
    const input = { raw, call: { ...call, onCleaned, notice }, onOutput };
    const result = await settings.queue.run(call.signal, () => run(named, input, settings));
    // The first text is the contract's answer.
    const content = [...result.content, ...notices];
    return { result: { ...result, content, ...(counts && { _meta: { "contextful/cleaned": counts } }) } };
  } catch (thrown) {
    // A cancelled call gets no answer: the protocol layer drops whatever we return.
    if (call.signal.aborted) throw thrown;
    const error = edgeError(thrown, settings.logger);
    const message = withNextStep(error, settings);
    // Most clients show a model neither the code nor the data of a JSON-RPC error.
    if (isForAgent) return { result: asText(message, true) };
    const failure = failureOf(named.tool.room, error, message);
    return failure.kind === "rpc" ? { failure } : { result: asText(failure.text, true) };
  }
}

export interface ToolCallInput {
  readonly raw: unknown;
  readonly call: Call;
  /** A failure is then a text with its reason. Default: if the answer is only text too. */
  readonly isForAgent?: boolean;
}

const answersWithText = ({ tool, view }: NamedTool) => view !== undefined || tool.forModel !== undefined;

interface ObservedInput extends ToolCallInput {
  onOutput(output: unknown): void;
}

async function run(
  { tool, view }: NamedTool,
  { raw, call, onOutput }: ObservedInput,
  settings: CallSettings,
): Promise<ToolResult> {
  if (!view) {
    const output = await invoke(tool, raw, call);
    onOutput(output);
    return asResult(tool, output);
  }
  const context = { root: settings.root };
  const answer = await invokeView({ tool, view, context }, raw, call);
  onOutput(answer.output);
  return asText(
    withNextStep({ message: answer.show(), next: answer.next }, settings),
    tool.failed?.(answer.output) ?? false,
  );
}

export const asText = (text: string, isError: boolean): ToolResult => ({
  content: [{ type: "text", text }],
  isError,
});

/** Names the next tool as it is listed to this client. A step that only people can take is left out. */
function withNextStep(
  { message, next }: { readonly message: string; readonly next: NextStep | undefined },
  { tools, names }: CallSettings,
): string {
  const found = next && findTool(tools, next.tool);
  return found ? `${message} Run ${nameOf(found.tool, names)} first.` : message;
}

function asResult(tool: Tool, output: unknown): ToolResult {
  const text = tool.forModel?.(output) ?? tool.json?.(output) ?? JSON.stringify(output);
  const isStructured = tool.forModel === undefined && isRecord(output);
  return {
    content: [{ type: "text", text }],
    ...(isStructured ? { structuredContent: output } : {}),
    isError: tool.failed?.(output) ?? false,
  };
}
