import { errnoOf } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { decodeText, readStoreFile } from "./read-file.ts";

type SidecarObject = Readonly<Record<string, unknown>>;
interface Sidecar {
  /** Empty if the file is missing or unreadable. */
  readonly rows: ReadonlyMap<string, unknown>;
  readonly problem: string | undefined;
}

/** Reads JSON objects of the store, each file once: a snapshot. Damage is reported as a problem, never thrown. */
export function openSidecars(directory: string) {
  const known = new Map<string, Sidecar>();
  return {
    read(path: string): Sidecar {
      const sidecar = known.get(path) ?? readSidecar(directory, path);
      known.set(path, sidecar);
      return sidecar;
    },
  };
}
export type Sidecars = ReturnType<typeof openSidecars>;

function readSidecar(directory: string, path: string): Sidecar {
  try {
    const read = readStoreFile(directory, path);
    if (read === undefined) return { rows: new Map(), problem: undefined };
    const value: unknown = JSON.parse(decodeText(read.bytes, path));
    if (!isObject(value)) return { rows: new Map(), problem: `${path} does not hold a JSON object` };
    return { rows: new Map(Object.entries(value)), problem: undefined };
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    return { rows: new Map(), problem: `${path} ${why}${errnoOf(thrown) ? ` (${errnoOf(thrown)})` : ""}` };
  }
}

export const isObject = (value: unknown): value is SidecarObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sorted by key, so that the same rows give the same bytes. */
export const printRows = (rows: ReadonlyMap<string, unknown>): string =>
  printJson(Object.fromEntries([...rows].sort(([a], [b]) => byCodeUnit(a, b))));

/** Two spaces, a newline at the end. */
export const printJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
