import { edgeError } from "../../core/edge-error.ts";
import type { Logger } from "../../core/logger.ts";
import { type Call, invoke, type Tool } from "../../core/tool.ts";
import { ERROR_SHAPE, type Failure, type RpcFailure } from "./error-shapes.ts";
import { isRecord } from "./message.ts";

interface ToolResult {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  /** Said either way: a contract wants it, and no client minds. */
  readonly isError: boolean;
}
export type Answer = { readonly result: ToolResult } | { readonly failure: RpcFailure };

/** Invokes a tool and says the outcome in the words of its room's contract. */
export async function callTool(
  tool: Tool,
  raw: unknown,
  { call, logger }: { readonly call: Call; readonly logger: Logger },
): Promise<Answer> {
  try {
    return { result: asResult(tool, await invoke(tool, raw, call)) };
  } catch (thrown) {
    // A cancelled call gets no answer; the protocol layer drops whatever we return.
    if (call.signal.aborted) throw thrown;
    const failure: Failure = ERROR_SHAPE[tool.room](edgeError(thrown, logger));
    if (failure.kind === "rpc") return { failure };
    return { result: { content: [{ type: "text", text: failure.text }], isError: true } };
  }
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
