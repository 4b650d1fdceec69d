import type { IndexedFile } from "../../capabilities/code-index/index.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import type { PackedCode } from "./pack-task.ts";

interface OpenFile extends IndexedFile {
  /** As on the disk now. */
  readonly lines: readonly string[];
}
const UNKNOWN: OpenFile = { lines: [], symbols: [], fresh: false };
/** A git range may change more files than a process can have open. */
const AT_ONCE = 64;

/** The lines and indexed symbols of files; each file is read once. */
export class OpenFiles {
  readonly #files = new Map<string, OpenFile>();
  readonly #code: PackedCode;
  readonly #root: string;

  constructor(code: PackedCode, root: string) {
    this.#code = code;
    this.#root = root;
  }

  /** Reads in parallel: one file after another would mostly wait. */
  async open(paths: readonly string[], signal: AbortSignal): Promise<void> {
    const unknown = [...new Set(paths)].filter((path) => !this.#files.has(path));
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      signal.throwIfAborted();
      await this.#read(unknown.slice(at, at + AT_ONCE));
    }
  }

  /** A file that was opened; empty for any other path. */
  at(path: string): OpenFile {
    return this.#files.get(path) ?? UNKNOWN;
  }

  async #read(paths: readonly string[]): Promise<void> {
    const [texts, indexed] = await Promise.all([
      Promise.all(paths.map((path) => readTextInside(this.#root, path))),
      this.#code.symbolsOfFiles(this.#root, paths),
    ]);
    for (const [at, path] of paths.entries()) {
      const text = texts[at];
      const lines = text === undefined ? [] : quotableLines(text);
      this.#files.set(path, { ...UNKNOWN, ...indexed[at], lines });
    }
  }
}
