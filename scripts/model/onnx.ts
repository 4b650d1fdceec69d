import { bytes, float, int, message } from "./protobuf.ts";

type Attribute = number | readonly number[] | { readonly float: number };
const TYPE = { float: 1, uint8: 2, int64: 7 } as const;

/** Collects nodes and constants of an ONNX graph (opset 17) and writes the file. */
export class OnnxGraph {
  readonly #nodes: Buffer[] = [];
  readonly #constants: Buffer[] = [];
  #names = 0;

  node(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    const [output = ""] = this.nodes(operator, inputs, 1, attributes);
    return output;
  }

  nodes(
    operator: string,
    inputs: readonly string[],
    outputs: number,
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const names = Array.from({ length: outputs }, () => `t${this.#names++}`);
    this.#add(operator, inputs, names, attributes);
    return names;
  }

  /** A node whose output has a name that callers know. */
  output(name: string, operator: string, inputs: readonly string[]): void {
    this.#add(operator, inputs, [name], {});
  }

  floats(name: string, shape: readonly number[], values: Float32Array): string {
    return this.#constant(name, shape, TYPE.float, values);
  }
  scalar(name: string, value: number): string {
    return this.floats(name, [], Float32Array.of(value));
  }
  bytes(name: string, shape: readonly number[], values: Uint8Array): string {
    return this.#constant(name, shape, TYPE.uint8, values);
  }
  integers(name: string, values: readonly number[]): string {
    return this.#constant(name, [values.length], TYPE.int64, BigInt64Array.from(values, BigInt));
  }

  file(
    name: string,
    inputs: readonly string[],
    output: { readonly name: string; readonly dims: number },
  ): Buffer {
    const graph = [
      ...this.#nodes,
      bytes(2, name),
      ...this.#constants,
      ...inputs.map((input) => valueInfo(11, input, TYPE.int64, ["batch", "length"])),
      valueInfo(12, output.name, TYPE.float, ["batch", output.dims]),
    ];
    return Buffer.concat([int(1, 8), message(7, ...graph), message(8, bytes(1, ""), int(2, 17))]);
  }

  #add(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>>,
  ): void {
    this.#nodes.push(
      message(
        1,
        ...inputs.map((input) => bytes(1, input)),
        ...outputs.map((output) => bytes(2, output)),
        bytes(4, operator),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ),
    );
  }

  #constant(name: string, shape: readonly number[], type: number, values: ArrayBufferView): string {
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push(
      message(5, ...shape.map((size) => int(1, size)), int(2, type), bytes(8, name), bytes(9, raw)),
    );
    return name;
  }
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === "number") return message(5, bytes(1, name), int(3, value), int(20, 2));
  if ("float" in value) return message(5, bytes(1, name), float(2, value.float), int(20, 1));
  return message(5, bytes(1, name), ...value.map((item) => int(8, item)), int(20, 7));
}

function valueInfo(field: number, name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const shape = dims.map((dim) => message(1, typeof dim === "string" ? bytes(2, dim) : int(1, dim)));
  return message(field, bytes(1, name), message(2, message(1, int(1, type), message(2, ...shape))));
}
