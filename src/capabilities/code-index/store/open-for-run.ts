import { DomainError } from "../../../core/errors.ts";
import type { IndexSurroundings } from "../index-request.ts";
import { type CodeStore, openCodeStore } from "./code-store.ts";
import { readFacts, writeFacts } from "./facts.ts";
import { removeDatabase } from "./generations.ts";
import { INDEX_FORMAT } from "./tables.ts";

/** What is wrong with a database that is then made anew. */
const REBUILT = new Set(["damaged", "not_found", "internal"]);

/** A database that a run can go on with. Damage, or an older format, is no reason to fail: the index is a cache. */
export async function openUsable(
  file: string,
  { embeddings, logger }: IndexSurroundings,
): Promise<CodeStore | undefined> {
  try {
    const code = await openCodeStore(file, embeddings);
    if (readFacts(code)["format"] === INDEX_FORMAT) return code;
    code.store.close();
  } catch (thrown) {
    if (thrown instanceof DomainError && !REBUILT.has(thrown.reason ?? thrown.code)) throw thrown;
    logger.warn("the code index cannot be read and is made anew");
  }
  return undefined;
}

export async function openEmpty(file: string, { embeddings }: IndexSurroundings): Promise<CodeStore> {
  removeDatabase(file);
  const code = await openCodeStore(file, embeddings);
  writeFacts(code, { format: INDEX_FORMAT });
  return code;
}
