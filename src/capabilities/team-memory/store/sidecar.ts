import { errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { decodeText, readStoreFile, sameVersion, type Version, versionAt } from "./read-file.ts";

export type JsonObject = Readonly<Record<string, unknown>>;
export interface Sidecar {
  /** Empty where the file is missing or unreadable. */
  readonly rows: ReadonlyMap<string, unknown>;
  readonly problem: string | undefined;
}

const EMPTY: Sidecar = { rows: new Map(), problem: undefined };

/** Reads JSON objects of the store, again only when the file changed. Damage is a problem to report, never a throw. */
export function openSidecars(directory: string) {
  const known = new Map<string, { version: Version | undefined; sidecar: Sidecar }>();
  return {
    read(path: string): Sidecar {
      const before = known.get(path);
      const version = versionAt(directory, path);
      if (before !== undefined && version !== undefined && sameVersion(before.version, version)) {
        return before.sidecar;
      }
      const sidecar = readSidecar(directory, path);
      known.set(path, { version, sidecar });
      return sidecar;
    },
    /** After our own write under the lock, so that it need not be parsed again. */
    remember(path: string, rows: ReadonlyMap<string, unknown>) {
      known.set(path, { version: versionAt(directory, path), sidecar: { rows, problem: undefined } });
    },
  };
}
export type Sidecars = ReturnType<typeof openSidecars>;

function readSidecar(directory: string, path: string): Sidecar {
  try {
    const read = readStoreFile(directory, path);
    if (read === undefined) return EMPTY;
    const value: unknown = JSON.parse(decodeText(read.bytes, path));
    if (!isObject(value)) return { rows: new Map(), problem: `${path} does not hold a JSON object` };
    return { rows: new Map(Object.entries(value)), problem: undefined };
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    return { rows: new Map(), problem: `${path} ${why}${errnoOf(thrown) ? ` (${errnoOf(thrown)})` : ""}` };
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const printed = new WeakMap<object, { readonly key: string; readonly line: string }>();

/** Two spaces, sorted keys, a newline at the end. A row that did not change is not printed again. */
export function printRows(rows: ReadonlyMap<string, unknown>): string {
  if (rows.size === 0) return "{}\n";
  const keys = [...rows.keys()].sort(byCodeUnit);
  return `{\n${keys.map((key) => printRow(key, rows.get(key))).join(",\n")}\n}\n`;
}

export const printJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function printRow(key: string, row: unknown): string {
  if (typeof row !== "object" || row === null)
    return `  ${JSON.stringify(key)}: ${JSON.stringify(row ?? null)}`;
  const before = printed.get(row);
  if (before?.key === key) return before.line;
  const line = `  ${JSON.stringify(key)}: ${JSON.stringify(row, null, 2).replaceAll("\n", "\n  ")}`;
  printed.set(row, { key, line });
  return line;
}
