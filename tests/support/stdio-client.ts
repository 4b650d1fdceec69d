import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
interface ClientOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: readonly string[];
}

/** A client of the built binary over its stdin and stdout: `await using client = startClient(await builtBinary(), …)`. */
export function startClient(
  binary: string,
  { args = ["mcp"], cwd, env = {}, node = [] }: ClientOptions = {},
) {
  const child = spawn(process.execPath, [...node, binary, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const answers = new Map<unknown, RpcAnswer>();
  const waiting = new Map<unknown, (answer: RpcAnswer) => void>();
  const notifications: unknown[] = [];
  const strays: string[] = [];
  let stderr = "";
  let lastId = 0;
  child.stdin.on("error", () => {});
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = parsed(line);
    if (message === undefined) strays.push(line);
    else if (!("id" in message)) notifications.push(message);
    else {
      const answer = message as unknown as RpcAnswer; // The server's own output; a wrong one fails the test that reads it.
      answers.set(answer.id, answer);
      waiting.get(answer.id)?.(answer);
    }
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const answerTo = (id: unknown) =>
    new Promise<RpcAnswer>((resolve, reject) => {
      const known = answers.get(id);
      if (known) resolve(known);
      waiting.set(id, resolve);
      void exit.then((code) =>
        reject(new Error(`The server ended with ${code} before it answered ${id}.\n${stderr}`)),
      );
    });
  const write = (text: string | Uint8Array) => child.stdin.write(text);
  const request = (method: string, params?: unknown) => {
    lastId += 1;
    write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
    return answerTo(lastId);
  };
  return {
    child: child as ChildProcess,
    exit,
    strays,
    notifications,
    stderr: () => stderr,
    write,
    request,
    answerTo,
    /** The handshake of the older revisions. */
    initialize: () =>
      request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      }),
    callTool: (name: string, args: unknown = {}) => request("tools/call", { name, arguments: args }),
    end: () => {
      child.stdin.end();
      return exit;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      child.kill("SIGKILL");
      await exit;
    },
  };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
