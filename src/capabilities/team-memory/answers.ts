import { z } from "zod";
import { asDomainError, DomainError } from "../../core/errors.ts";
import { type Call, defineTool, type Tool } from "../../core/tool.ts";

/** The contract puts failures into the answer itself; some of them without a status. */
export const Failure = z.object({ status: z.literal("error").optional(), error: z.string() });
export type Failure = z.infer<typeof Failure>;

/** Reasons whose answer is the bare `{"error": …}`. */
const BARE = new Set(["scope", "entry_type", "no_entry"]);

interface Parts<In extends z.ZodObject, Out extends z.ZodType, Event extends z.ZodType>
  extends Omit<Tool<In, Out, Event>, "room" | "failed"> {
  /** Which of the outputs that look like a failure are one: a value may look like it. Default: all. */
  isFailure?(output: Failure): boolean;
}

type OrFailure<Out extends z.ZodType> = z.ZodType<z.output<Out> | Failure, z.input<Out> | Failure>;

/** A tool of this room: what a caller got wrong is an answer to an agent, and an error on the command line. */
export function memoryTool<
  In extends z.ZodObject,
  Out extends z.ZodType,
  Event extends z.ZodType = z.ZodType,
>(parts: Parts<In, Out, Event>): Tool<In, OrFailure<Out>, Event> {
  const { command, json: _json, isFailure = () => true, ...rest } = parts;
  const failed = (output: unknown): output is Failure => looksFailed(output) && isFailure(output);
  return defineTool<In, OrFailure<Out>, Event>({
    ...rest,
    room: "team-memory",
    // The compiler cannot see through a union of a type it does not know yet.
    output: z.union([parts.output, Failure]) as unknown as OrFailure<Out>,
    ...(command && {
      command: {
        ...command,
        exitCode: (output) => (failed(output) ? 1 : (command.exitCode?.(output) ?? 0)),
      },
    }),
    run: (input, call) => answer(() => parts.run(input, call), call),
    show: (output) => (failed(output) ? output.error : parts.show(output)),
    failed,
  });
}

/** Exit code 3 is "not found". */
export const notFoundExit = (output: { readonly status?: string }): number =>
  output.status === "not_found" ? 3 : 0;

async function answer<T>(work: () => Promise<T>, { caller }: Call): Promise<T | Failure> {
  try {
    return await work();
  } catch (thrown) {
    if (caller === "person") throw thrown;
    const error = asDomainError(thrown);
    if (!(error instanceof DomainError) || error.code === "internal") throw thrown;
    if (BARE.has(error.reason ?? "")) return { error: error.message };
    return { status: "error", error: error.message };
  }
}

const looksFailed = (output: unknown): output is Failure =>
  typeof output === "object" &&
  output !== null &&
  "error" in output &&
  typeof output.error === "string" &&
  Object.keys(output).every((key) => key === "error" || key === "status");
