import { fstatSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { errnoOf } from "../errors.ts";
import { DatabaseLocks } from "./wasm-locks.ts";

export type WasmSqlite = typeof import("node-sqlite3-wasm");

const SQLITE_OK = 0;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const SQLITE_IOERR_WRITE = 778;
const OURS_ALONE = 0o600;

/**
 * The package locks a database by making a directory. That admits one reader at a time, and the directory stays when its
 * process is killed. The package hands its file functions to the WebAssembly instance, so we replace some on the way:
 * those that lock, and those that lose the permissions of a new file or the reason of a failed write.
 */
export function loadWasmSqlite(): WasmSqlite {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
      const memory: { current?: WebAssembly.Memory } = {};
      super(
        module,
        withOurFiles(imports, () => memory.current?.buffer ?? new ArrayBuffer(0)),
      );
      for (const exported of Object.values(this.exports)) {
        if (exported instanceof WebAssembly.Memory) memory.current = exported;
      }
    }
  };
  try {
    // The instance is made while the package is loaded, so nobody else meets our class.
    return createRequire(import.meta.url)("node-sqlite3-wasm");
  } finally {
    WebAssembly.Instance = Instance;
  }
}

type FileFunction = (...values: (number | bigint)[]) => unknown;
type Wrap = (original: FileFunction) => FileFunction;

function withOurFiles(imports: WebAssembly.Imports, memory: () => ArrayBuffer): WebAssembly.Imports {
  const replacements = new Map(Object.entries(ourFiles(memory)));
  const groups = Object.entries(imports).map(([group, functions]) => {
    const entries = Object.entries(functions).map(([key, value]) => {
      const wrap = isFunction(value) ? replacements.get(value.name) : undefined;
      if (!isFunction(value) || wrap === undefined) return [key, value] as const;
      replacements.delete(value.name);
      return [key, wrap(value)] as const;
    });
    return [group, Object.fromEntries(entries)] as const;
  });
  // Another version of the package may have other names. Without our locks it must not be used.
  if (replacements.size > 0)
    throw new Error(`node-sqlite3-wasm has no ${[...replacements.keys()].join(", ")}`);
  return Object.fromEntries(groups);
}

const isFunction = (value: unknown): value is FileFunction => typeof value === "function";

/** By the package's names. A file is a pointer to its struct: descriptor at 4, address of the path at 12. */
function ourFiles(memory: () => ArrayBuffer): Readonly<Record<string, Wrap>> {
  const open = new Map<number | bigint, DatabaseLocks>();
  const locksOf = (file: number | bigint): DatabaseLocks => {
    const known = open.get(file);
    if (known) return known;
    const fields = new DataView(memory(), Number(file));
    const { dev, ino } = fstatSync(fields.getInt32(4, true), { bigint: true });
    const locks = new DatabaseLocks({ path: textAt(memory(), fields.getInt32(12, true)), dev, ino });
    open.set(file, locks);
    return locks;
  };
  return {
    _nodejsLock:
      () =>
      (file = 0, level) =>
        locksOf(file).raise(Number(level)) ? SQLITE_OK : SQLITE_BUSY,
    _nodejsUnlock:
      () =>
      (file = 0, level) => {
        locksOf(file).lower(Number(level));
        return SQLITE_OK;
      },
    _nodejsCheckReservedLock:
      () =>
      (file = 0, answer) => {
        new DataView(memory()).setInt32(Number(answer), Number(locksOf(file).isReserved()), true);
        return SQLITE_OK;
      },
    _nodejsClose:
      (original) =>
      (file = 0) => {
        open.get(file)?.lower(0);
        open.delete(file);
        return original(file);
      },
    _nodejs_open:
      (original) =>
      (path = 0, flags = 0) =>
        original(path, flags, OURS_ALONE),
    _nodejsWrite:
      () =>
      (file = 0, start, length, offset) => {
        const bytes = new Uint8Array(memory(), Number(start), Number(length));
        return write(new DataView(memory(), Number(file)).getInt32(4, true), bytes, Number(offset));
      },
  };
}

/** A full disk shows as an error, or as a write that is cut short. */
function write(fd: number, bytes: Uint8Array, offset: number): number {
  try {
    return writeSync(fd, bytes, 0, bytes.length, offset) === bytes.length ? SQLITE_OK : SQLITE_FULL;
  } catch (thrown) {
    return errnoOf(thrown) === "ENOSPC" || errnoOf(thrown) === "EDQUOT" ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
}

function textAt(memory: ArrayBuffer, start: number): string {
  const bytes = new Uint8Array(memory, start);
  return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString("utf8");
}
