/** The contracts' token count: a quarter of the UTF-8 bytes, rounded up. */
export const contractTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, "utf8") / 4);
