import { createInterface } from "node:readline";

interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks for one line; `undefined` if the input ends or `signal` aborts first. */
export async function askLine(
  { input, output }: TerminalStreams,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Without terminal mode Ctrl-C stays a signal, which stops the whole command.
  const lines = createInterface({ input, terminal: false, signal });
  output.write(question);
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(undefined));
  });
  lines.close();
  if (answer === undefined) output.write("\n");
  return answer;
}
