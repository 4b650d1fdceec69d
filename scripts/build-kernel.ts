// Assembles src/core/search/vectors/kernel.wat into kernel-bytes.ts. `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";
import wabt from "wabt";

const SOURCE = "src/core/search/vectors/kernel.wat";
const TARGET = "src/core/search/vectors/kernel-bytes.ts";

const { parseWat } = await wabt();
const { buffer } = parseWat(SOURCE, readFileSync(SOURCE, "utf8"), { simd: true }).toBinary({});
const lines =
  Buffer.from(buffer)
    .toString("base64")
    .match(/.{1,100}/g) ?? [];
const text = [
  "/** Assembled from kernel.wat by scripts/build-kernel.ts; do not edit. */",
  "export const KERNEL_BASE64 = [",
  ...lines.map((line) => `  "${line}",`),
  '].join("");',
  "",
].join("\n");
if (process.argv.includes("--check")) {
  if (readFileSync(TARGET, "utf8") !== text) throw new Error(`${TARGET} is not what ${SOURCE} assembles to.`);
} else writeFileSync(TARGET, text);
console.log(`${TARGET}: ${buffer.length} bytes of WebAssembly`);
