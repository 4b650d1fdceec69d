import { KERNEL_BASE64 } from "./kernel-bytes.ts";

const PAGE = 65_536;

/** The loops that searching and embedding spend their time in, over memory they share with us. */
export interface Kernel {
  /** Bytes from 0 to its length; a growth replaces it, so take it anew after `reserve`. */
  buffer(): ArrayBuffer;
  reserve(bytes: number): void;
  /** Dot products of `count` int8 rows with the int16 query, as int32 at `out`. Every position is in bytes. */
  dot(row: number, query: number, out: number, count: number, stride: number): void;
  /**
   * Makes cosines of dot products, in their place as float32: times the float32 scale of the row, times the query's. Without a
   * scale it is −2. Up to three more of both are read and written.
   */
  scale(out: number, scales: number, count: number, queryScale: number): void;
  /** Adds weight × row to the float sums for each pair (row number as uint32, weight as float32). */
  sum(rows: number, pairs: number, count: number, sums: number, stride: number): void;
}

/** SIMD where this Node has it, else the same in plain JavaScript. */
export function openKernel(): Kernel {
  try {
    return wasmKernel();
  } catch {
    return plainKernel();
  }
}

export function wasmKernel(): Kernel {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGE });
  const module = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, "base64"));
  const { dot, scale, sum } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  if (typeof dot !== "function" || typeof scale !== "function" || typeof sum !== "function")
    throw new Error("The kernel lacks a function.");
  return {
    buffer: () => memory.buffer,
    reserve: (bytes) => {
      const missing = bytes - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    },
    dot: (row, query, out, count, stride) => void dot(row, query, out, count, stride),
    scale: (out, scales, count, queryScale) => void scale(out, scales, count, queryScale),
    sum: (rows, pairs, count, sums, stride) => void sum(rows, pairs, count, sums, stride),
  };
}

export function plainKernel(): Kernel {
  let buffer = new ArrayBuffer(PAGE);
  return {
    buffer: () => buffer,
    reserve: (bytes) => {
      if (bytes <= buffer.byteLength) return;
      const grown = new ArrayBuffer(Math.ceil(bytes / PAGE) * PAGE);
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
    },
    dot(row, query, out, count, stride) {
      const wanted = new Int16Array(buffer, query, stride);
      const rows = new Int8Array(buffer, row, count * stride);
      const results = new Int32Array(buffer, out, count);
      for (let number = 0, at = 0; number < count; number++) {
        let total = 0;
        for (let lane = 0; lane < stride; lane++, at++) total += (rows[at] ?? 0) * (wanted[lane] ?? 0);
        results[number] = total;
      }
    },
    scale(out, scales, count, queryScale) {
      const dots = new Int32Array(buffer, out, count);
      const cosines = new Float32Array(buffer, out, count);
      const factors = new Float32Array(buffer, scales, count);
      for (let number = 0; number < count; number++) {
        const factor = factors[number] ?? 0;
        cosines[number] = factor === 0 ? -2 : (dots[number] ?? 0) * factor * queryScale;
      }
    },
    sum(rows, pairs, count, sums, stride) {
      const numbers = new Uint32Array(buffer, pairs, count * 2);
      const weights = new Float32Array(buffer, pairs, count * 2);
      const totals = new Float32Array(buffer, sums, stride);
      for (let pair = 0; pair < count; pair++) {
        const row = new Int8Array(buffer, rows + (numbers[pair * 2] ?? 0) * stride, stride);
        const weight = weights[pair * 2 + 1] ?? 0;
        for (let lane = 0; lane < stride; lane++) {
          totals[lane] = (totals[lane] ?? 0) + Math.fround(weight * (row[lane] ?? 0));
        }
      }
    },
  };
}
