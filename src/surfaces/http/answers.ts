import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** The error object of every failure. */
export const errorBody = (code: string, message: string) => ({ error: { code, message } });

/** Every other refused status means that the request was wrong. */
const CODES: Readonly<Partial<Record<number, string>>> = { 404: "not_found", 500: "internal" };

export const refuse = (context: Context, status: ContentfulStatusCode, message: string): Response =>
  context.json(errorBody(CODES[status] ?? "bad_request", message), status);
