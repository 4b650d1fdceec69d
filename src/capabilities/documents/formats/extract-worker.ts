import { parentPort } from "node:worker_threads";
import { type ExtractRequest, extract } from "./extract.ts";

/** Answers one request at a time; the caller ends the thread if an answer is late. */
parentPort?.on("message", (request: ExtractRequest) => {
  void extract(request).then((extraction) => parentPort?.postMessage(extraction));
});
