import { z } from "zod";

export const Renumbered = z.array(z.object({ from: z.string(), to: z.string() }));
export const Warnings = z.array(z.string());

export const lines = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join("\n");
