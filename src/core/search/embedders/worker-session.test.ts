import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { openWorkerSession } from "./worker-session.ts";

/** A thread that answers each message as `answer` does, a function body of `id` and `texts`. */
function workerFile(directory: string, answer: string): string {
  const file = join(directory, "worker.mjs");
  const head =
    'import { parentPort } from "node:worker_threads"; const say = (it) => parentPort.postMessage(it);';
  writeFileSync(file, `${head} parentPort.on("message", ({ id, texts }) => { ${answer} });`);
  return file;
}
const ANSWER = "say({ id, vectors: texts.map((text) => Float32Array.of(text.length)) });";

test("questions asked at once each get their own answer", async () => {
  using dir = tempDir();
  const session = await openWorkerSession(workerFile(dir.path, ANSWER));
  const answers = await Promise.all([session.embed(["a", "bb"]), session.embed(["ccc"])]);
  await session.close();
  expect(answers.map((vectors) => vectors.map(([length]) => length))).toEqual([[1, 2], [3]]);
});

test("a thread that ended fails what it was asked and all that is asked later", async () => {
  using dir = tempDir();
  const file = workerFile(dir.path, `if (texts[0] === "end") process.exit(); ${ANSWER}`);
  const session = await openWorkerSession(file);
  for (const text of ["end", "a"]) {
    await expect(session.embed([text])).rejects.toMatchObject({ code: "unavailable" });
  }
  await session.close();
});

test("a model that does not load there is told with its reason", async () => {
  using dir = tempDir();
  const file = workerFile(dir.path, 'say({ id, problem: "no runtime" });');
  await expect(openWorkerSession(file)).rejects.toThrow("no runtime");
});
