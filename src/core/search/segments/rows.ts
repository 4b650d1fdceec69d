/** Rows come as `unknown`. These read a column where a schema for each of thousands of small rows would cost too much. */
export function column(row: unknown, name: string): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  return Object.getOwnPropertyDescriptor(row, name)?.value;
}

export function numberIn(row: unknown, name: string): number {
  const value = column(row, name);
  return typeof value === "number" ? value : 0;
}

export function textIn(row: unknown, name: string): string {
  const value = column(row, name);
  return typeof value === "string" ? value : "";
}

export function blobIn(row: unknown, name: string): Uint8Array | undefined {
  const value = column(row, name);
  return value instanceof Uint8Array ? value : undefined;
}
