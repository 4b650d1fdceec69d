import { isRecord } from "../../../core/json.ts";
import type { ServerEntry } from "../client.ts";

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

/** A copy without the value at the path, and without objects that become empty. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isRecord(value)) return undefined;
  const inner = without(value[key], rest);
  const { [key]: _gone, ...others } = value;
  const isGone = inner === undefined || (isRecord(inner) && Object.keys(inner).length === 0);
  return isGone ? others : { ...others, [key]: inner };
}

/** The entry nested in one object per key of the path. */
export const nested = (path: readonly string[], entry: ServerEntry): ServerEntry =>
  path.reduceRight<ServerEntry>((value, key) => ({ [key]: value }), entry);

/** As plain JSON: the TOML parser gives tables without a prototype and dates as its own objects. */
export const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));
