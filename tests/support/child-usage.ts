import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

interface ChildUsage {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds of processor time, of all threads. */
  readonly cpuMs: number;
  readonly peakMb: number;
}
interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reports the usage as the last line of stderr: the time on a busy machine says nothing, the processor time does. */
const REPORTER = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(2, "\\nusage " + (userCPUTime + systemCPUTime) / 1000 + " " + maxRSS / 1024);
  });`)}`;

/** Runs a program to its end and measures it. */
export async function measuredRun(args: readonly string[], options: ChildOptions): Promise<ChildUsage> {
  const child = spawn(process.execPath, ["--import", REPORTER, ...args], options);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      said[name] += chunk;
    });
  }
  const [code]: (number | null)[] = await once(child, "close");
  const [stderr = "", usage = ""] = said.stderr.split("\nusage ");
  const [cpuMs = 0, peakMb = 0] = usage.split(" ").map(Number);
  return { code: code ?? null, stdout: said.stdout, stderr, cpuMs, peakMb };
}

/**
 * Signals a program after it has worked for `workedMs` of processor time. Gives how much more it used, and its exit code.
 * Its standard input stays open. `cpuMsAfter` is undefined if the program ended before the signal.
 */
export async function signalledRun(
  args: readonly string[],
  { workedMs, ...options }: ChildOptions & { readonly workedMs: number },
): Promise<{ readonly code: number | null; readonly cpuMsAfter: number | undefined }> {
  const child = spawn(process.execPath, [...args], { ...options, stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "close");
  const { pid = 0 } = child;
  let atSignal: number | undefined;
  let last = 0;
  while (child.exitCode === null && child.signalCode === null) {
    last = cpuMsOf(pid) ?? last;
    if (atSignal === undefined && last >= workedMs) {
      atSignal = last;
      child.kill("SIGTERM");
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [code]: (number | null)[] = await ended;
  return { code: code ?? null, cpuMsAfter: atSignal === undefined ? undefined : last - atSignal };
}

/** From Linux' list of processes: hundredths of a second, in fields 14 and 15 after the name in brackets. */
function cpuMsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
