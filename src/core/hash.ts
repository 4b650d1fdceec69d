import { createHash } from "node:crypto";

/** Content is always identified by its sha256, in lower-case hex. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");
