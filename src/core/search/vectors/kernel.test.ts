import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import wabt from "wabt";
import { type Kernel, plainKernel, wasmKernel } from "./kernel.ts";
import { KERNEL_BASE64 } from "./kernel-bytes.ts";
import { quantise, strideOf } from "./quantise.ts";

test("the shipped bytes are what the source assembles to", async () => {
  const { parseWat } = await wabt();
  const source = readFileSync("src/core/search/vectors/kernel.wat", "utf8");
  const { buffer } = parseWat("kernel.wat", source, { simd: true }).toBinary({});
  expect(Buffer.from(buffer).toString("base64")).toEqual(KERNEL_BASE64);
});

const rowsOf = (stride: number) =>
  fc.array(fc.int8Array({ minLength: stride, maxLength: stride }), { minLength: 1, maxLength: 20 });

test("WebAssembly and plain JavaScript give the same dot products", () => {
  fc.assert(
    fc.property(rowsOf(48), fc.int8Array({ minLength: 48, maxLength: 48 }), (rows, query) => {
      const dots = [wasmKernel(), plainKernel()].map((kernel) => dotsOf(kernel, rows, query));
      expect(dots[0]).toEqual(dots[1]);
      expect(dots[1]).toEqual(
        rows.map((row) => row.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0)),
      );
    }),
  );
});

test("WebAssembly and plain JavaScript make the same cosines of dot products", () => {
  const dots = fc.tuple(
    fc.integer({ min: -(2 ** 30), max: 2 ** 30 }),
    fc.float({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(dots, { maxLength: 20 }), fc.double({ min: 1e-30, max: 1 }), (rows, queryScale) => {
      const cosines = [wasmKernel(), plainKernel()].map((kernel) => {
        kernel.reserve(512);
        new Int32Array(kernel.buffer(), 0, rows.length).set(rows.map(([dot]) => dot));
        new Float32Array(kernel.buffer(), 256, rows.length).set(rows.map(([, scale]) => scale));
        kernel.scale(0, 256, rows.length, queryScale);
        return [...new Float32Array(kernel.buffer(), 0, rows.length)];
      });
      expect(cosines[0]).toEqual(cosines[1]);
      expect(cosines[1]).toEqual(
        rows.map(([dot, scale]) => (scale === 0 ? -2 : Math.fround(dot * scale * queryScale))),
      );
    }),
  );
});

test("WebAssembly and plain JavaScript give the same weighted sums", () => {
  fc.assert(
    fc.property(
      rowsOf(32),
      fc.array(fc.float({ noNaN: true, min: -4, max: 4 }), { maxLength: 20 }),
      (rows, weights) => {
        const sums = [wasmKernel(), plainKernel()].map((kernel) => sumsOf(kernel, rows, weights));
        expect(sums[0]).toEqual(sums[1]);
      },
    ),
  );
});

test("memory grows without losing what is in it", () => {
  for (const kernel of [wasmKernel(), plainKernel()]) {
    new Uint8Array(kernel.buffer())[5] = 77;
    kernel.reserve(1_000_000);
    expect(kernel.buffer().byteLength).toBeGreaterThanOrEqual(1_000_000);
    expect(new Uint8Array(kernel.buffer())[5]).toEqual(77);
  }
});

test("a quantised vector has length 1 and points the same way", () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 20, maxLength: 20, min: -1, max: 1, noNaN: true }), (vector) => {
      const row = new Int8Array(strideOf(20));
      const scale = quantise(vector, row);
      const length = Math.hypot(...vector);
      fc.pre(length > 0.01);
      expect(Math.hypot(...row) * scale).toBeCloseTo(1, 6);
      const cosine = vector.reduce((sum, value, at) => sum + value * (row[at] ?? 0) * scale, 0) / length;
      expect(cosine).toBeGreaterThan(0.999);
    }),
  );
});

function dotsOf(kernel: Kernel, rows: readonly Int8Array[], query: Int8Array): number[] {
  const size = query.length;
  const outAt = (rows.length + 2) * size;
  kernel.reserve(outAt + rows.length * 4);
  const memory = new Int8Array(kernel.buffer());
  for (const [number, row] of rows.entries()) memory.set(row, number * size);
  new Int16Array(kernel.buffer(), rows.length * size, size).set(query);
  kernel.dot(0, rows.length * size, outAt, rows.length, size);
  return [...new Int32Array(kernel.buffer(), outAt, rows.length)];
}

function sumsOf(kernel: Kernel, rows: readonly Int8Array[], weights: readonly number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const pairsAt = rows.length * size;
  const sumsAt = pairsAt + Math.ceil((weights.length * 8) / 16) * 16;
  kernel.reserve(sumsAt + size * 4);
  const memory = new Int8Array(kernel.buffer());
  for (const [number, row] of rows.entries()) memory.set(row, number * size);
  const numbers = new Uint32Array(kernel.buffer(), pairsAt, weights.length * 2);
  const factors = new Float32Array(kernel.buffer(), pairsAt, weights.length * 2);
  for (const [at, weight] of weights.entries()) {
    numbers[at * 2] = at % rows.length;
    factors[at * 2 + 1] = weight;
  }
  kernel.sum(0, pairsAt, weights.length, sumsAt, size);
  return [...new Float32Array(kernel.buffer(), sumsAt, size)];
}
