import { isRecord } from "../../core/json.ts";

type WireId = string | number;
type WireParams = Readonly<Record<string, unknown>>;
export interface WireError {
  readonly jsonrpc: "2.0";
  readonly id: WireId | null;
  readonly error: { readonly code: number; readonly message: string };
}
/** A message with the right outer fields; the protocol layer checks what is inside. */
export type WireMessage =
  | { readonly jsonrpc: "2.0"; readonly id: WireId; readonly method: string; readonly params?: WireParams }
  | { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: WireParams }
  | { readonly jsonrpc: "2.0"; readonly id: WireId; readonly result: WireParams }
  | WireError;
type ReadLine = { readonly message: WireMessage } | { readonly refusal: WireError };

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses one line: a message, the JSON-RPC error to send back, or nothing for a blank line. */
export function readMessage(line: Uint8Array): ReadLine | undefined {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(line);
    if (text.trim() === "") return undefined;
    value = JSON.parse(text);
  } catch {
    return refusal(null, -32700, "Parse error: the line is not JSON in UTF-8");
  }
  if (Array.isArray(value)) return refusal(null, -32600, "Invalid Request: batches are not served");
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") {
    return refusal(null, -32600, "Invalid Request: not a JSON-RPC 2.0 message");
  }
  return hasMessageShape(value) ? { message: value } : refusal(idOf(value), -32600, "Invalid Request");
}

/** Requests and notifications have a method, responses an id with a result or an error; ids are strings or whole numbers. */
function hasMessageShape(value: Record<string, unknown>): value is Record<string, unknown> & WireMessage {
  const hasId = "id" in value;
  if (hasId && idOf(value) === null) return false;
  if ("params" in value && !isRecord(value["params"])) return false;
  if ("method" in value) return typeof value["method"] === "string";
  return hasId && (isRecord(value["result"]) || isRecord(value["error"]));
}

const idOf = ({ id }: Record<string, unknown>): WireId | null =>
  typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;

const refusal = (id: WireId | null, code: number, message: string): ReadLine => ({
  refusal: { jsonrpc: "2.0", id, error: { code, message } },
});

export { isRecord };
