import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { deadline } from "../../../core/deadline.ts";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { formatOfMediaType } from "../formats/format.ts";
import { listOf } from "../formats/front-matter.ts";
import { instantOf } from "../timestamps.ts";
import type { Connector, Item, Listing } from "./connector.ts";

export interface CommandOptions {
  readonly label: string;
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  readonly settings: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const MOST_BYTES = 256 * 1024 * 1024;
const Line = z.object({
  source_id: z.string().min(1),
  body: z.string().min(1),
  title: z.string().nullish(),
  author: z.string().nullish(),
  source_url: z.string().nullish(),
  created_at: z.union([z.string(), z.number()]).nullish(),
  updated_at: z.union([z.string(), z.number()]).nullish(),
  content_type: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  tags: z.unknown().optional(),
});

/** Items that a program of the user's own prints, one JSON object a line. */
export function commandConnector(options: CommandOptions): Connector {
  const [program = ""] = options.command;
  return {
    label: options.label,
    type: "command",
    parallel: 64,
    async check() {
      const isThere = findProgram(program, options) !== undefined;
      return { healthy: isThere, notes: isThere ? `command: ${program}` : `program not found: ${program}` };
    },
    list: (signal) => run(options, signal),
  };
}

function findProgram(program: string, { env, project }: CommandOptions): string | undefined {
  const places =
    program.includes("/") || isAbsolute(program) ? [project] : (env["PATH"] ?? "").split(delimiter);
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd"] : [""];
  return places
    .flatMap((place) =>
      endings.map((ending) => (isAbsolute(program) ? program : join(place, program)) + ending),
    )
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

async function run(options: CommandOptions, signal: AbortSignal): Promise<Listing> {
  using limit = deadline(options.timeoutMs, signal);
  const { child, stop } = start(options);
  limit.signal.addEventListener("abort", stop, { once: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  const ended = new Promise<number | undefined>((settle) => {
    child.on("error", () => settle(undefined));
    child.on("close", (code) => settle(code ?? undefined));
  });
  try {
    let isStopped = false;
    const listing = await readLines(child.stdout, options, () => {
      isStopped = true;
      stop();
    });
    const code = await ended;
    signal.throwIfAborted();
    if (limit.isOver) return withProblem(listing, `stopped after ${options.timeoutMs / 1_000} s`);
    if (code === 0 || isStopped) return listing;
    return withProblem(listing, `ended with ${code ?? "a signal"}: ${said.trim().split("\n").at(-1) ?? ""}`);
  } finally {
    limit.signal.removeEventListener("abort", stop);
    stop();
  }
}

function start(options: CommandOptions) {
  const [program = "", ...args] = options.command;
  const file = findProgram(program, options);
  if (file === undefined)
    throw new DomainError("unavailable", `${options.label}: program not found: ${program}`);
  // A group of its own, so that what it started goes with it.
  const isGrouped = process.platform !== "win32";
  const child = spawn(file, args, {
    cwd: options.project,
    env: { ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isGrouped,
  });
  const stop = () => {
    // What it left behind may hold its output open, in its group or out of it.
    child.stdout.destroy();
    child.stderr.destroy();
    try {
      if (child.pid !== undefined) process.kill(isGrouped ? -child.pid : child.pid, "SIGKILL");
    } catch {
      // All of it ended by itself.
    }
  };
  return { child, stop };
}

const withProblem = ({ items, problems }: Listing, problem: string): Listing => ({
  items,
  problems: [...problems, problem],
});

async function readLines(stream: Readable, options: CommandOptions, stop: () => void): Promise<Listing> {
  const items = new Map<string, Item>();
  const problems: string[] = [];
  const tooMuch = () => {
    problems.push(`printed more than ${MOST_BYTES} bytes`);
    stop();
  };
  let number = 0;
  for await (const text of linesOf(stream, tooMuch)) {
    number += 1;
    if (text.trim() === "") continue;
    const line = Line.safeParse(parseJson(text));
    if (!line.success) problems.push(`line ${number} is not an item: ${firstIssue(line.error)}`);
    else if (items.has(line.data.source_id)) problems.push(`line ${number} repeats ${line.data.source_id}`);
    else items.set(line.data.source_id, itemOf(line.data, sha256(text), options));
  }
  return { items: [...items.values()], problems };
}

/** Bytes are counted as they come: a line without an end would fill the memory before it is a line. */
async function* linesOf(stream: Readable, tooMuch: () => void): AsyncGenerator<string> {
  let bytes = 0;
  let begun = "";
  try {
    for await (const chunk of stream.setEncoding("utf8")) {
      bytes += Buffer.byteLength(chunk);
      if (bytes > MOST_BYTES) return tooMuch();
      const [first, ...others] = String(chunk).split("\n");
      begun += first;
      for (const next of others) {
        yield begun;
        begun = next;
      }
    }
    yield begun;
  } catch (thrown) {
    // Closed by us: whoever did it tells why.
    if (errnoOf(thrown) !== "ERR_STREAM_PREMATURE_CLOSE") throw thrown;
  }
}

function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue?.path.join(".") || "the line"}: ${issue?.message ?? "wrong"}`;
}

function itemOf(line: z.output<typeof Line>, digest: string, { tags, settings }: CommandOptions): Item {
  const stamp = `${digest}:${settings}`;
  const updatedAt = instantOf(line.updated_at);
  const contentType = line.content_type ?? "text/plain";
  return {
    sourceId: line.source_id,
    stamp,
    ...(updatedAt !== undefined && { updatedAt }),
    read: async () => ({
      kind: "content",
      bytes: new TextEncoder().encode(line.body),
      // Bodies are text already: only markup is left to be read.
      format: formatOfMediaType(contentType) === "html" ? "html" : "text",
      contentType,
      stamp,
      sourceUrl: line.source_url ?? null,
      title: line.title ?? null,
      author: line.author ?? null,
      createdAt: instantOf(line.created_at) ?? updatedAt,
      updatedAt,
      metadata: line.metadata ?? {},
      tags: [...tags, ...listOf(line.tags)],
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
