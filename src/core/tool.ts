import type { z } from "zod";
import { DomainError } from "./errors.ts";
import type { Progress } from "./progress.ts";

export const ROOMS = [
  "directory-contexts",
  "context-caches",
  "team-memory",
  "documents",
  "code-index",
  "packs",
  "clients",
] as const;
export type Room = (typeof ROOMS)[number];

/** Everything about one call that is not its input. */
export interface Call<Event = never> {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Recorded on writes: `MCP_CALLER` over a protocol, `user@host` on the command line. */
  readonly actor: string;
  /** People may override what agents may not, such as the refusal of a secret. */
  readonly caller: "agent" | "person";
  /** Takes what the tool declares as its events, as they happen; absent where nobody follows them. */
  emit?(event: Event): void;
  /** Shows a person what is about to be done and asks whether it shall be; absent where nobody can be asked. */
  confirm?(plan: string, question: string): Promise<boolean>;
}

/** What a call that goes on until it is stopped tells on its way, such as the changes a watch sees. */
interface Events<Event extends z.ZodType> {
  readonly schema: Event;
  /** One line for a person at a terminal. With `--json` an event is a line of JSON. */
  show(event: z.output<Event>): string;
}

/** How a tool is called on the command line, within its room's group. */
export interface Command<Out extends z.ZodType = z.ZodType> {
  /** The words after the group, e.g. `build` or `skill add`. */
  readonly words: string;
  /** Input fields given by position, in order; the rest become flags. */
  readonly positional?: readonly string[];
  /** Flags by another name than their field's, e.g. `{ rooms: "only" }` for `--only`. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly examples?: readonly string[];
  /** Print what `show` gives byte for byte: a contract fixes it, or another program reads it. Default: control characters are escaped. */
  readonly raw?: boolean;
  /** Exit code of a successful run; default 0, or 1 where `failed` says so. */
  exitCode?(output: z.output<Out>): number;
}

/** Methods, not function properties, on purpose: that lets a Tool<In, Out> sit in a Tool[]. */
export interface Tool<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Event extends z.ZodType = z.ZodType,
> {
  readonly room: Room;
  /** For `people` a unique id such as `caches_build`; for `everyone` the contract's name. */
  readonly name: string;
  /** The name listed with `--tool-names safe`, where `name` has dots. */
  readonly safeName?: string;
  readonly title?: string;
  readonly description: string;
  readonly effect: "reads" | "writes";
  /** `people` tools are commands only; agents and HTTP never see them. */
  readonly audience?: "everyone" | "people";
  /** The plain HTTP route a contract fixes; every other tool answers POST /tools/NAME. */
  readonly route?: { readonly method: "GET" | "POST"; readonly path: string };
  readonly command?: Command<Out>;
  readonly input: In;
  readonly output: Out; // any JSON: some contracts answer arrays or plain values
  readonly events?: Events<Event>;
  run(input: z.output<In>, call: Call<z.input<Event>>): Promise<z.input<Out>>;
  /** For a person at a terminal. Protocols get the output as JSON. */
  show(output: z.output<Out>): string;
  /** Outputs a contract flags with isError, such as `found: false`. Default: none. */
  failed?(output: z.output<Out>): boolean;
  /** Where a contract fixes the bytes, such as context.resolve. Default: JSON.stringify. */
  json?(output: z.output<Out>): string;
  /** Markdown for the model; MCP then carries this text alone, for some clients would show only the structure. */
  forModel?(output: z.output<Out>): string;
}

/** Keeps the types of input, output and events together while a tool is written. */
export const defineTool = <
  In extends z.ZodObject,
  Out extends z.ZodType,
  Event extends z.ZodType = z.ZodType,
>(
  tool: Tool<In, Out, Event>,
): Tool<In, Out, Event> => tool;

/** Every surface calls tools through here, and nowhere else. */
export async function invoke(tool: Tool, raw: unknown, call: Call<unknown>): Promise<unknown> {
  const input = tool.input.safeParse(raw ?? {});
  if (!input.success) throw wrongInput(input.error);
  return tool.output.parse(await tool.run(input.data, withCheckedEvents(tool, call)));
}

function wrongInput(error: z.ZodError): DomainError {
  const issues = error.issues.map(({ path, message }) => ({ param: path.map(String).join("."), message }));
  const params = error.issues.flatMap(({ path }) => path.slice(0, 1).map(String));
  return new DomainError(
    "invalid_input",
    issues.map(({ param, message }) => (param ? `${param}: ${message}` : message)).join("; "),
    {
      reason: "schema",
      details: { ...(params[0] === undefined ? {} : { param: params[0] }), params, issues },
    },
  );
}

function withCheckedEvents({ events }: Tool, { emit, ...call }: Call<unknown>): Call<unknown> {
  return events && emit ? { ...call, emit: (event) => emit(events.schema.parse(event)) } : call;
}
