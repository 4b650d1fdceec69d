import { OnnxGraph } from "./onnx.ts";
import { dequantised, type Weight } from "./tfjs-weights.ts";

const LAYERS = 6;
const HEADS = 12;
const HEAD_SIZE = 32;
const DIMS = 384;

/**
 * all-MiniLM-L6-v2 as an ONNX graph with int8 matrix products: token ids and mask in, one vector of length 1 for each
 * text out (mean of the last layer over the mask).
 */
export function minilmGraph(weights: ReadonlyMap<string, Weight>): Buffer {
  const graph = new OnnxGraph();
  const encoder = new Encoder(graph, weights);
  const mask = graph.node("Cast", ["attention_mask"], { to: 1 });
  graph.scalar("one", 1);
  graph.scalar("half", 0.5);
  graph.scalar("root_half", Math.SQRT1_2);
  graph.scalar("head_scale", 1 / Math.sqrt(HEAD_SIZE));
  graph.integers("axis_0", [0]);
  graph.integers("axis_1", [1]);
  graph.integers("heads_shape", [0, 0, HEADS, HEAD_SIZE]);
  graph.integers("merged_shape", [0, 0, DIMS]);
  const hidden = graph.node("Mul", [graph.node("Sub", ["one", mask]), graph.scalar("minus_much", -10_000)]);
  const bias = graph.node("Unsqueeze", [hidden, graph.integers("axes_1_2", [1, 2])]);
  let state = encoder.embeddings();
  for (let layer = 0; layer < LAYERS; layer++)
    state = encoder.layer(`encoder/layer_._${layer}/`, state, bias);
  const wide = graph.node("Unsqueeze", [mask, graph.integers("axis_2", [2])]);
  const sum = graph.node("ReduceSum", [graph.node("Mul", [state, wide]), "axis_1"], { keepdims: 0 });
  const mean = graph.node("Div", [sum, graph.node("ReduceSum", [wide, "axis_1"], { keepdims: 0 })]);
  const length = graph.node("ReduceL2", [mean], { axes: [1], keepdims: 1 });
  graph.output("embedding", "Div", [mean, length]);
  return graph.file("all-MiniLM-L6-v2", ["input_ids", "attention_mask"], { name: "embedding", dims: DIMS });
}

class Encoder {
  readonly #graph: OnnxGraph;
  readonly #weights: ReadonlyMap<string, Weight>;

  constructor(graph: OnnxGraph, weights: ReadonlyMap<string, Weight>) {
    this.#graph = graph;
    this.#weights = weights;
  }

  embeddings(): string {
    const graph = this.#graph;
    const words = this.#weight("unknown");
    graph.bytes("words", words.shape, words.raw);
    const gathered = graph.node("Cast", [graph.node("Gather", ["words", "input_ids"], { axis: 0 })], {
      to: 1,
    });
    const scaled = graph.node("Mul", [gathered, graph.scalar("words_scale", words.scale)]);
    const word = graph.node("Add", [scaled, graph.scalar("words_min", words.min)]);
    const length = graph.node("Gather", [graph.node("Shape", ["input_ids"]), "axis_1"], { axis: 0 });
    const positions = graph.node("Slice", [this.#parameter("unknown_0"), "axis_0", length, "axis_0"]);
    const kind = graph.node("Slice", [this.#parameter("unknown_1"), "axis_0", "axis_1", "axis_0"]);
    const placed = graph.node("Add", [graph.node("Add", [word, positions]), kind]);
    return this.#normalised(placed, "embeddings/LayerNorm");
  }

  layer(path: string, state: string, bias: string): string {
    const graph = this.#graph;
    const heads = (name: string, perm: readonly number[]) => {
      const flat = this.#linear(state, `${path}attention/self/${name}`);
      return graph.node("Transpose", [graph.node("Reshape", [flat, "heads_shape"])], { perm });
    };
    const products = graph.node("MatMul", [heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])]);
    const logits = graph.node("Add", [graph.node("Mul", [products, "head_scale"]), bias]);
    const attention = graph.node("Softmax", [logits], { axis: -1 });
    const mixed = graph.node("MatMul", [attention, heads("value", [0, 2, 1, 3])]);
    const joined = graph.node("Transpose", [mixed], { perm: [0, 2, 1, 3] });
    const merged = graph.node("Reshape", [joined, "merged_shape"]);
    const attended = graph.node("Add", [this.#linear(merged, `${path}attention/output/dense`), state]);
    const middle = this.#normalised(attended, `${path}attention/output/LayerNorm`);
    const wide = this.#gelu(this.#linear(middle, `${path}intermediate/dense`));
    const narrow = graph.node("Add", [this.#linear(wide, `${path}output/dense`), middle]);
    return this.#normalised(narrow, `${path}output/LayerNorm`);
  }

  #gelu(input: string): string {
    const graph = this.#graph;
    const erf = graph.node("Erf", [graph.node("Mul", [input, "root_half"])]);
    return graph.node("Mul", [graph.node("Mul", [input, graph.node("Add", [erf, "one"])]), "half"]);
  }

  /** Weights stay uint8 as they came; activations are quantised as they pass. */
  #linear(input: string, path: string): string {
    const graph = this.#graph;
    const weight = this.#weight(`${path}/Tensordot/ReadVariableOp`);
    const [quantised = "", scale = "", zero = ""] = graph.nodes("DynamicQuantizeLinear", [input], 3);
    graph.bytes(`${path}/weight`, weight.shape, weight.raw);
    graph.bytes(`${path}/zero`, [], Uint8Array.of(Math.round(-weight.min / weight.scale)));
    const product = graph.node("MatMulInteger", [quantised, `${path}/weight`, zero, `${path}/zero`]);
    const factor = graph.node("Mul", [scale, graph.scalar(`${path}/scale`, weight.scale)]);
    const real = graph.node("Mul", [graph.node("Cast", [product], { to: 1 }), factor]);
    return graph.node("Add", [real, this.#parameter(`${path}/BiasAdd/ReadVariableOp`)]);
  }

  #normalised(input: string, path: string): string {
    const scale = this.#parameter(`${path}/batchnorm/mul/ReadVariableOp`);
    const shift = this.#parameter(`${path}/batchnorm/ReadVariableOp`);
    return this.#graph.node("LayerNormalization", [input, scale, shift], {
      axis: -1,
      epsilon: { float: 1e-12 },
    });
  }

  #parameter(name: string): string {
    const weight = this.#weight(name);
    return this.#graph.floats(name, weight.shape, dequantised(weight));
  }

  #weight(name: string): Weight {
    const weight = this.#weights.get(name);
    if (!weight) throw new Error(`The model has no weight ${name}.`);
    return weight;
  }
}
