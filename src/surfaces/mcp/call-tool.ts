import { edgeError } from "../../core/edge-error.ts";
import type { NextStep } from "../../core/errors.ts";
import type { CleanedCounts } from "../../core/hygiene/index.ts";
import type { Logger } from "../../core/logger.ts";
import { type Call, invoke, type Tool } from "../../core/tool.ts";
import { failureOf, type RpcFailure } from "./error-shapes.ts";
import { isRecord } from "./message.ts";
import { findTool, nameOf, type ToolNames } from "./profiles.ts";
import type { Queue } from "./queue.ts";

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
  /** The tools this client may call, and the names it sees them by. */
  readonly tools: readonly Tool[];
  readonly names: ToolNames;
}

/** Runs a tool when the queue has a place for it, and answers in the shape of its room's contract. */
export async function callTool(
  tool: Tool,
  { raw, call }: { readonly raw: unknown; readonly call: Call },
  settings: CallSettings,
): Promise<ToolAnswer> {
  try {
    let counts: CleanedCounts | undefined;
    const onCleaned = (cleaned: CleanedCounts) => {
      counts = cleaned;
    };
    const output = await settings.queue.run(call.signal, () => invoke(tool, raw, { ...call, onCleaned }));
    return {
      result: { ...asResult(tool, output), ...(counts && { _meta: { "contextful/cleaned": counts } }) },
    };
  } catch (thrown) {
    // A cancelled call gets no answer: the protocol layer drops whatever we return.
    if (call.signal.aborted) throw thrown;
    const error = edgeError(thrown, settings.logger);
    const failure = failureOf(tool.room, error, withNextStep(error, settings));
    if (failure.kind === "rpc") return { failure };
    return { result: { content: [{ type: "text", text: failure.text }], isError: true } };
  }
}

/** Names the next tool as it is listed to this client. A step that only people can take is left out. */
function withNextStep(
  { message, next }: { readonly message: string; readonly next: NextStep | undefined },
  { tools, names }: CallSettings,
): string {
  const tool = next && findTool(tools, next.tool);
  return tool ? `${message} Run ${nameOf(tool, names)} first.` : message;
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
