/** Content is always identified by its sha256, in lower-case hex. */
export const sha256 = (content: string | Uint8Array): string =>
  // Loaded at the first hash: loading OpenSSL at startup would cost tens of milliseconds.
  process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
