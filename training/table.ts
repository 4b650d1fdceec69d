/** The shipped table as numbers, and back: int8 rows, then a float32 scale for each row. */
export interface VectorTable {
  readonly rows: number;
  readonly dims: number;
  readonly values: Float32Array;
}

const FIRST_WORD = 1996;
const SMOOTHING = 1e-3;

/** The loader weighs a piece by its place in the vocabulary; a trained row carries its weight in its length. */
function placeWeights(rows: number): Float32Array {
  let harmonic = 0;
  for (let rank = 1; rank <= rows - FIRST_WORD; rank++) harmonic += 1 / rank;
  return Float32Array.from({ length: rows }, (_, row) => {
    const probability = 1 / (Math.max(1, row - FIRST_WORD + 1) * harmonic);
    return SMOOTHING / (SMOOTHING + probability);
  });
}

export function unpackTable(bytes: Buffer, dims: number): VectorTable {
  const rows = bytes.length / (dims + 4);
  const weights = placeWeights(rows);
  const values = new Float32Array(rows * dims);
  let length = 0;
  for (let row = 0; row < rows; row++) {
    const scale = bytes.readFloatLE(rows * dims + row * 4) * (weights[row] ?? 0);
    let square = 0;
    for (let at = row * dims; at < (row + 1) * dims; at++) {
      values[at] = bytes.readInt8(at) * scale;
      square += (values[at] ?? 0) ** 2;
    }
    length += Math.sqrt(square) / rows;
  }
  // Rows of mean length 1: the learning rate then means the same for every start.
  return { rows, dims, values: values.map((value) => value / length) };
}

export function packTable({ rows, dims, values }: VectorTable): Buffer {
  const weights = placeWeights(rows);
  const bytes = Buffer.alloc(rows * (dims + 4));
  for (let row = 0; row < rows; row++) {
    const cells = values.subarray(row * dims, (row + 1) * dims);
    const most = cells.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
    const scale = most / 127 || 1e-9;
    for (const [at, value] of cells.entries()) {
      bytes.writeInt8(Math.max(-127, Math.min(127, Math.round(value / scale))), row * dims + at);
    }
    bytes.writeFloatLE(scale / (weights[row] ?? 1), rows * dims + row * 4);
  }
  return bytes;
}

/** The mean of two tables with the same rows, after both have the same size. */
export function mixed(trained: Float32Array, start: Float32Array, startShare: number): Float32Array {
  const factor = (startShare * sizeOf(trained)) / sizeOf(start);
  return trained.map((value, at) => (1 - startShare) * value + factor * (start[at] ?? 0));
}

const sizeOf = (values: Float32Array) => Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0));
