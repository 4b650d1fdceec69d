import { setMaxListeners } from "node:events";
import type { z } from "zod";
import { DomainError, type NextStep } from "./errors.ts";
import type { CleanedCounts } from "./hygiene/index.ts";
import type { Progress } from "./progress.ts";
import { describeIssue, describeProblems, describeUnknownFields } from "./validation-message.ts";

/** Everything about one call that is not its input. */
export interface Call<Event = never> {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Recorded on writes: `MCP_CALLER` over a protocol, the user's name on the command line. */
  readonly actor: string;
  /** People may do what agents may not, such as override the refusal of a secret. */
  readonly caller: "agent" | "person";
  /** The answer becomes part of another tool's, which is cleaned as a whole. */
  readonly isPart?: boolean;
  /** Receives the tool's events as they happen; absent if nobody follows them. */
  emit?(event: Event): void;
  /** Told if something was removed from the answer, so that the surface can say so beside it. */
  onCleaned?(counts: CleanedCounts): void;
  /** Says something beside the answer, if the contract's shape has no field for it. */
  notice?(text: string): void;
  /** Shows a person the plan and asks whether to go on; absent if nobody can be asked. */
  confirm?(plan: string, question: string): Promise<boolean>;
}

/** What a call that runs until it is stopped reports meanwhile, such as the changes a watch sees. */
interface Events<Event extends z.ZodType> {
  readonly schema: Event;
  /** One line for a person at a terminal. With `--json` an event is a line of JSON. */
  show(event: z.output<Event>): string;
}

/** What a view may know about the process when it maps its form to the tool's input. */
interface ViewContext {
  /** The served project's absolute directory: relative paths are resolved against it. */
  readonly root: string;
}

/**
 * Another way to call a tool: other fields in, another text out. The behaviour stays the tool's.
 * Methods, not function properties, so that a view of one form fits a list of views.
 */
interface ToolView<Form extends z.ZodObject = z.ZodObject, Output = unknown> {
  /** Default: the tool's description. */
  readonly description?: string;
  /** The fields of this view. Default: the tool's input. */
  readonly form?: Form;
  /** The tool's input, which is then checked as any other. Default: the form's values. */
  toInput?(form: z.output<Form>, context: ViewContext): Readonly<Record<string, unknown>>;
  /** What this view answers, if it differs from the tool's output. */
  toOutput?(output: Output): Output;
  /** Default: the tool's `show`. */
  show?(output: Output, form: z.output<Form>): string;
  /** The step to suggest after this output, such as indexing a project that is not indexed. */
  next?(output: Output, form: z.output<Form>): NextStep | undefined;
}

/** A view of a tool for people: how it is called on the command line, within its room's group. */
export interface Command<Form extends z.ZodObject = z.ZodObject, Output = unknown>
  extends ToolView<Form, Output> {
  /** The words after the group, e.g. `build` or `skill add`. */
  readonly words: string;
  /** True for a short form beside the groups, such as `contextful search`. */
  readonly isTop?: boolean;
  /** Fields given by position, in order; the others become flags. */
  readonly positional?: readonly string[];
  /** Flags whose name differs from their field's, e.g. `{ rooms: "only" }` for `--only`. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly examples?: readonly string[];
  /** Print the text byte for byte: a contract fixes it, or another program reads it. Default: control characters are escaped. */
  readonly raw?: boolean;
  /** Exit code of a successful run. Default: 0, or 1 if `failed` says so. */
  exitCode?(output: Output): number;
}

/**
 * A view of a tool for agents: a name of ours, flat fields that may be left out, and a short text as the answer. A failure
 * is an answer too, with its reason and the next step in the text.
 */
export interface AgentView<Form extends z.ZodObject = z.ZodObject, Output = unknown>
  extends ToolView<Form, Output> {
  readonly name: string;
  readonly description: string;
  readonly form: Form;
}

/** Methods, not function properties, on purpose: that lets a Tool<In, Out> sit in a Tool[]. */
export interface Tool<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodType = z.ZodType,
  Event extends z.ZodType = z.ZodType,
  Extra extends z.ZodObject = z.ZodObject,
> {
  /** The room it belongs to; edges have one row per room. */
  readonly room: string;
  /** For `people` a unique id such as `caches_build`; for `everyone` the contract's name. */
  readonly name: string;
  /** The name listed with `--tool-names safe`, if `name` has dots. */
  readonly safeName?: string;
  readonly title?: string;
  readonly description: string;
  readonly effect: "reads" | "writes";
  /** `people` tools are commands only; agents and HTTP never see them. */
  readonly audience?: "everyone" | "people";
  /** The plain HTTP route a contract fixes; every other tool answers POST /tools/NAME. */
  readonly route?: { readonly method: "GET" | "POST"; readonly path: string };
  readonly command?: Command<z.ZodObject, z.output<Out>>;
  /** Further commands of the same tool, such as a short form at the top. */
  readonly commands?: readonly Command<z.ZodObject, z.output<Out>>[];
  readonly agentView?: AgentView<z.ZodObject, z.output<Out>>;
  readonly input: In;
  /** Fields that only views give, beside the contract's, such as `--wait`. A call by the tool's own name never has them. */
  readonly viewInput?: Extra;
  readonly output: Out; // any JSON: some contracts answer arrays or plain values
  /** The output with the fields that only views get. */
  readonly viewOutput?: z.ZodType;
  readonly events?: Events<Event>;
  run(
    input: z.output<In> & Partial<z.output<NoInfer<Extra>>>,
    call: Call<z.input<Event>>,
  ): Promise<z.input<Out>>;
  /** For a person at a terminal. Protocols get the output as JSON. */
  show(output: z.output<Out>): string;
  /** Outputs a contract flags with isError, such as `found: false`. Default: none. */
  failed?(output: z.output<Out>): boolean;
  /** If a contract fixes the bytes, as for context.resolve. Default: JSON.stringify. */
  json?(output: z.output<Out>): string;
  /** Markdown for the model. MCP then carries this text alone, because some clients would show only the structure. */
  forModel?(output: z.output<Out>): string;
}

/** Keeps the types of input, output and events together while a tool is written. */
export const defineTool = <
  In extends z.ZodObject,
  Out extends z.ZodType,
  Event extends z.ZodType = z.ZodType,
  Extra extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  tool: Tool<In, Out, Event, Extra>,
): Tool<In, Out, Event, Extra> => tool;

/** Keeps the types of a form and its mapping together while a command is written. */
export const defineCommand = <Form extends z.ZodObject, Output = never>(
  command: Command<Form, Output> & { readonly form: Form },
): Command<Form, Output> => command;

/** Keeps the types of a form and its mapping together while an agent view is written. */
export const defineAgentView = <Form extends z.ZodObject, Output = never>(
  view: AgentView<Form, Output>,
): AgentView<Form, Output> => view;

/** All the commands of a tool, the main one first. */
export const commandsOf = ({ command, commands = [] }: Tool): readonly Command[] =>
  command === undefined ? commands : [command, ...commands];

/** The fields a view takes from its caller. */
export const formOf = (tool: Tool, view: ToolView): z.ZodObject => view.form ?? withViewInput(tool);

/**
 * Every surface calls tools through here or `invokeView`, and nowhere else. So every answer is cleaned here: invisible
 * characters are removed, then secrets are redacted. The command line shows invisible characters instead.
 */
export async function invoke(tool: Tool, raw: unknown, call: Call<unknown>): Promise<unknown> {
  if (call.caller === "person") return runView(tool, raw, call);
  return answered(tool, { raw, call, input: tool.input, output: tool.output });
}

interface AnsweredCall {
  readonly given: unknown;
  readonly call: Call<unknown>;
}

/** Runs a tool between the check of its input and the cleaning of its output. */
async function answered(
  tool: Tool,
  { raw, call, input, output }: { raw: unknown; call: Call<unknown>; input: z.ZodObject; output: z.ZodType },
): Promise<unknown> {
  const given = checked(input, raw, call);
  const own = { ...call, signal: signalOfCall(call.signal) };
  try {
    const parsed = output.parse(await tool.run(given, withCheckedEvents(tool, own)));
    // The contract fixes the bytes of such a tool.
    return tool.json || call.isPart ? parsed : await cleaned(tool, parsed, { given: raw, call });
  } catch (thrown) {
    throw await withCleanMessage(thrown, { given: raw, call });
  }
}

/** A program may share one signal among many calls, and each call has many listeners: Node would warn of a leak. */
function signalOfCall(shared: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([shared]);
  setMaxListeners(0, signal);
  return signal;
}

async function cleaned(tool: Tool, parsed: unknown, { given, call }: AnsweredCall): Promise<unknown> {
  const { cleanOutput } = await import("./hygiene/index.ts");
  const { output, invisible, secrets } = cleanOutput(parsed, {
    showsInvisible: call.caller === "person",
    given,
  });
  if (invisible + secrets === 0) return output;
  call.onCleaned?.({ invisible, secrets });
  const hasField = "shape" in tool.output && Object.hasOwn(Object(tool.output.shape), "cleaned");
  return hasField ? { ...Object(output), cleaned: { invisible, secrets } } : output;
}

/** A message may quote a file's name or text. */
async function withCleanMessage(thrown: unknown, { given, call }: AnsweredCall): Promise<unknown> {
  if (!(thrown instanceof DomainError)) return thrown;
  const { cleanText } = await import("./hygiene/index.ts");
  const message = cleanText(thrown.message, { showsInvisible: call.caller === "person", given });
  if (message === thrown.message) return thrown;
  const { code, reason, details, next, cause } = thrown;
  return new DomainError(code, message, {
    details,
    cause,
    ...(reason !== undefined && { reason }),
    ...(next !== undefined && { next }),
  });
}

interface ViewAnswer {
  readonly output: unknown;
  readonly next: NextStep | undefined;
  /** The text for a person. */
  show(): string;
}

/** Calls a tool through one of its views. */
export async function invokeView(
  { tool, view, context }: { readonly tool: Tool; readonly view: ToolView; readonly context: ViewContext },
  raw: unknown,
  call: Call<unknown>,
): Promise<ViewAnswer> {
  const form = view.form ? checked(view.form, raw, call) : undefined;
  const input = form && view.toInput ? view.toInput(form, context) : (form ?? raw);
  // What an agent sends without a form is the contract's input.
  const answer = await (form ? runView(tool, input, call) : invoke(tool, input, call));
  const output = view.toOutput ? view.toOutput(answer) : answer;
  return {
    output,
    next: view.next?.(output, form ?? {}),
    show: () => (view.show ? view.show(output, form ?? {}) : tool.show(output)),
  };
}

/** With the fields that only views may give and get. */
async function runView(tool: Tool, raw: unknown, call: Call<unknown>): Promise<unknown> {
  return answered(tool, { raw, call, input: withViewInput(tool), output: tool.viewOutput ?? tool.output });
}

const withViewInput = ({ input, viewInput }: Tool): z.ZodObject =>
  viewInput ? input.extend(viewInput.shape) : input;

function checked(schema: z.ZodObject, raw: unknown, call: Call<unknown>): Record<string, unknown> {
  const parsed = schema.safeParse(raw ?? {}, { error: describeIssue });
  if (parsed.success) {
    const unknown = describeUnknownFields(Object.keys(raw ?? {}), Object.keys(schema.shape));
    if (unknown !== undefined) call.notice?.(unknown);
    return parsed.data;
  }
  const { issues } = parsed.error;
  const problems = issues.map(({ path, message }) => ({ param: path.map(String).join("."), message }));
  const params = issues.flatMap(({ path }) => path.slice(0, 1).map(String));
  throw new DomainError("invalid_input", describeProblems(problems), {
    reason: "schema",
    details: { ...(params[0] === undefined ? {} : { param: params[0] }), params, issues: problems },
  });
}

function withCheckedEvents({ events }: Tool, { emit, ...call }: Call<unknown>): Call<unknown> {
  return events && emit ? { ...call, emit: (event) => emit(events.schema.parse(event)) } : call;
}
