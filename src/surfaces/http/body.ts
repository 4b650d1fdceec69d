import type { Context } from "hono";
import { refuse } from "./answers.ts";

/** Larger than any call; a body beyond it is not read. */
export const LARGEST_BODY = 4 * 1024 * 1024;

/** The JSON object of a call, or the answer its absence earns. */
export async function readCall(
  context: Context,
): Promise<{ readonly raw: unknown } | { readonly refused: Response }> {
  const type = context.req.header("content-type");
  if (type === undefined) {
    return { refused: refuse(context, 400, "bad_request", "Send JSON with Content-Type: application/json.") };
  }
  // Anything a form or a page can send without asking first is not a call.
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return {
      refused: refuse(context, 415, "bad_request", "Only Content-Type: application/json is accepted."),
    };
  }
  const raw = parse(await context.req.arrayBuffer());
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { refused: refuse(context, 400, "bad_request", "The body must be a JSON object in UTF-8.") };
  }
  return { raw };
}

function parse(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
