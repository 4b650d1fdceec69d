/** Rows are padded so that the kernel can read sixteen components at a time. */
export const strideOf = (dims: number): number => Math.ceil(dims / 16) * 16;

/** For a vector without direction: present, unlike scale 0, and of no likeness to anything. */
const NO_DIRECTION = 1e-30;

/**
 * Brings a vector to length 1 and into int8, and gives the scale that takes the row back to that length.
 */
export function quantise(vector: Float32Array, row: Int8Array): number {
  let most = 0;
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at] ?? 0));
  if (!(most > 0) || !Number.isFinite(most)) {
    row.fill(0);
    return NO_DIRECTION;
  }
  let squares = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = Math.round(((vector[at] ?? 0) * 127) / most);
    row[at] = value;
    squares += value * value;
  }
  return 1 / Math.sqrt(squares);
}
