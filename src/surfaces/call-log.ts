import { cleanOutput } from "../core/hygiene/index.ts";
import { loadTokenizer } from "../core/tokens/tokenizer.ts";

/** A tool call that was answered, as a surface saw it. */
interface FinishedCall {
  readonly surface: "mcp" | "http";
  /** The client's own name, if it gave one. */
  readonly client: string | undefined;
  readonly tool: string;
  readonly input: unknown;
  /** The tool's output; undefined if the call failed. */
  readonly output: unknown;
  /** What the client received. */
  readonly given: string;
  readonly isError: boolean;
  readonly milliseconds: number;
}

export interface CallSummary extends Omit<FinishedCall, "input" | "output" | "given" | "client"> {
  readonly id: number;
  readonly at: string;
  readonly client: string;
  /** The field of the input that says what was wanted, such as `query`. */
  readonly question: string;
  readonly tokens: number;
  /** How many results the answer has; undefined if it is not a list. */
  readonly hits: number | undefined;
  /** Files of the project that the answer names. */
  readonly paths: readonly string[];
}
export interface CallDetail extends CallSummary {
  readonly input: unknown;
  readonly given: string;
}

const MAX_CALLS = 500;
const MAX_CHARACTERS = 16_000_000;
const MAX_QUESTION = 300;
const MAX_PATHS = 60;
const QUESTIONS = [
  "query",
  "task",
  "title",
  "name",
  "symbol",
  "scope",
  "directory",
  "key",
  "dotpath",
  "id",
  "path",
];

/** The last tool calls of all clients. It is in memory only, bounded, and its inputs are redacted as answers are. */
export class CallLog {
  readonly #now: () => Date;
  #calls: StoredCall[] = [];
  #characters = 0;
  #lastId = 0;
  readonly #listeners = new Set<(call: CallSummary) => void>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  async add({ input, output, client, ...call }: FinishedCall): Promise<void> {
    const cleaned = cleanOutput(input ?? {}).output;
    const detail: StoredCall = {
      ...call,
      id: ++this.#lastId,
      at: this.#now().toISOString(),
      client: String(cleanOutput(client ?? "unknown").output).slice(0, MAX_QUESTION),
      question: questionOf(cleaned),
      hits: hitsOf(output),
      paths: [...pathsIn(output)].slice(0, MAX_PATHS),
      input: cleaned,
    };
    this.#calls.push(detail);
    this.#characters += detail.given.length;
    while (this.#calls.length > MAX_CALLS || (this.#characters > MAX_CHARACTERS && this.#calls.length > 1)) {
      this.#characters -= this.#calls.shift()?.given.length ?? 0;
    }
    if (this.#listeners.size === 0) return;
    await this.#countTokens([detail]);
    for (const tell of this.#listeners) tell(summaryOf(detail));
  }

  /** Oldest first. */
  async list(): Promise<readonly CallSummary[]> {
    await this.#countTokens(this.#calls);
    return this.#calls.map(summaryOf);
  }

  async find(id: number): Promise<CallDetail | undefined> {
    const call = this.#calls.find((each) => each.id === id);
    if (!call) return undefined;
    await this.#countTokens([call]);
    return { ...call, tokens: call.tokens ?? 0 };
  }

  /** Returns the function that ends it. */
  follow(listener: (call: CallSummary) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The tokenizer's table is large: it is loaded when somebody looks. */
  async #countTokens(calls: readonly StoredCall[]): Promise<void> {
    const uncounted = calls.filter(({ tokens }) => tokens === undefined);
    if (uncounted.length === 0) return;
    const count = await loadTokenizer();
    for (const call of uncounted) call.tokens = count(call.given);
  }
}

interface StoredCall extends Omit<CallDetail, "tokens"> {
  /** Undefined until somebody looks. */
  tokens?: number;
}

const summaryOf = ({ input: _input, given: _given, tokens = 0, ...summary }: StoredCall): CallSummary => ({
  ...summary,
  tokens,
});

function questionOf(input: unknown): string {
  if (!isObject(input)) return "";
  const found = QUESTIONS.map((name) => input[name]).find(
    (value) => typeof value === "string" && value !== "",
  );
  return String(found ?? Object.values(input).find((value) => typeof value === "string") ?? "").slice(
    0,
    MAX_QUESTION,
  );
}

function hitsOf(output: unknown): number | undefined {
  if (Array.isArray(output)) return output.length;
  if (!isObject(output)) return undefined;
  return Object.values(output).find((value) => Array.isArray(value))?.length;
}

/** Paths of files in the lists of an answer. */
function pathsIn(output: unknown, depth = 0, found = new Set<string>()): Set<string> {
  if (found.size >= MAX_PATHS || depth > 4) return found;
  if (Array.isArray(output)) for (const one of output) pathsIn(one, depth + 1, found);
  else if (isObject(output))
    for (const [name, value] of Object.entries(output)) {
      if (name === "path" && depth > 0 && typeof value === "string" && value !== "") found.add(value);
      else if (typeof value === "object") pathsIn(value, depth + 1, found);
    }
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
