import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The error object every failure has, whatever went wrong and wherever. */
export const refuse = (
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response => context.json({ error: { code, message } }, status);
