import type { Context } from "hono";
import { refuse } from "./answers.ts";

/** Larger than any real call. A larger body is not read. */
const LARGEST_BODY = 4 * 1024 * 1024;

/** The JSON object of a call, or the response that refuses it. */
export async function readCall(
  context: Context,
): Promise<{ readonly raw: unknown } | { readonly refused: Response }> {
  const type = context.req.header("content-type");
  if (type === undefined) {
    return { refused: refuse(context, 400, "Send JSON with Content-Type: application/json.") };
  }
  // A web page can send other types without a preflight, so they are not accepted.
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return {
      refused: refuse(context, 415, "Only Content-Type: application/json is accepted."),
    };
  }
  const body = await readBody(context.req.raw);
  if (body === undefined) return { refused: tooLarge(context) };
  const raw = parse(body);
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { refused: refuse(context, 400, "The body must be a JSON object in UTF-8.") };
  }
  return { raw };
}

export const tooLarge = (context: Context): Response =>
  refuse(context, 413, `The body is larger than ${LARGEST_BODY} bytes.`);

/** The whole body, or `undefined` if it is larger than any real call, whatever its Content-Length says. */
export async function readBody(
  { headers, body }: Request,
  largest = LARGEST_BODY,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(headers.get("content-length") ?? 0) > largest) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > largest) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
