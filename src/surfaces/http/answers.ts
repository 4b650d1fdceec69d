import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The error object every failure has, whatever went wrong and wherever. */
export const errorBody = (code: string, message: string) => ({ error: { code, message } });

export const refuse = (
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response => context.json(errorBody(code, message), status);
