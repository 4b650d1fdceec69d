import { createInterface } from "node:readline";

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks for one line; `undefined` where the input ends or `signal` aborts first. */
export async function askLine(
  { input, output }: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The terminal's own line editing: Ctrl-C then stays the signal that stops everything else.
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
