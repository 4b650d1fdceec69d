import { createRequire } from "node:module";
import { join } from "node:path";
import { minilmDirectory } from "../../src/core/search/embedders/model-files.ts";

/** Whether the runtime of the better model is installed: npm install --ignore-scripts --prefix packages/minilm. */
export const hasBetterModel = canResolve();

function canResolve(): boolean {
  try {
    createRequire(join(minilmDirectory() ?? "", "package.json")).resolve("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
}
