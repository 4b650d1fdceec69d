import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startClient } from "../tests/support/stdio-client.ts";
import { gitAt, median, timed } from "./bench-tools.ts";

/** Files of the tree, and how many of them differ between its branches. */
const MANY = 10_000;
const SWITCHED = 400;
const CHECKS = 15;
const NEW_FILES = 9;
const SWITCHES = 3;
/** Changes of the last two seconds are compared by content; then the servers need a moment. */
const SETTLED_MS = 5_000;

type Server = Awaited<ReturnType<typeof startServer>>;

/** What it costs a server to know that its index is up to date, and how soon it is after a change, beside git's own times. */
export async function reportFreshness(binary: string, scratch: string): Promise<void> {
  const root = join(scratch, "many");
  const home = join(scratch, "home");
  writeMany(root);
  spawnSync(process.execPath, [binary, "code", "index", root], {
    env: { ...process.env, CONTEXTFUL_HOME: home },
  });
  // The first server of a project watches it, the second one does not.
  await using watching = await startServer({ binary, root, home });
  await watching.timeUntilFound("Handle7");
  await using other = await startServer({ binary, root, home });
  await other.timeUntilFound("Handle7");
  for (const [who, server] of [
    ["watching", watching],
    ["not watching", other],
  ] as const) {
    console.log(
      `${who} (load ${loadavg()
        .map((load) => load.toFixed(0))
        .join(", ")})`,
    );
    await pause(SETTLED_MS);
    await reportCheck(root, server);
    await reportNewFiles(root, server, who === "watching" ? "A" : "B");
    await reportSwitches(root, server);
  }
}

/** A repeated question comes from the cache of answers, so this is the check and the way there and back. */
async function reportCheck(root: string, server: Server): Promise<void> {
  await server.timeUntilFound("Handle9999");
  const ours: number[] = [];
  const answers: number[] = [];
  const lists: number[] = [];
  const statuses: number[] = [];
  for (let round = 0; round < CHECKS; round++) {
    lists.push(await timed(() => gitAt(root, "ls-files", "-s")));
    statuses.push(await timed(() => gitAt(root, "status", "--porcelain")));
    answers.push(await timed(() => server.ping()));
    ours.push(await timed(() => server.isFound("Handle9999")));
  }
  say(`  tree check, ${MANY} files`, median(ours), { "git ls-files -s": lists, "git status": statuses });
  say("  of which any answer takes", median(answers), {});
}

async function reportNewFiles(root: string, server: Server, series: string): Promise<void> {
  const code: number[] = [];
  const documents: number[] = [];
  const statuses: number[] = [];
  const before = server.cpuMs();
  for (let round = 0; round < NEW_FILES; round++) {
    const name = `Added${series}${round}`;
    writeFileSync(join(root, `p${round}`, `${name}.go`), `package p\n\nfunc ${name}() {}\n`);
    code.push(await server.timeUntilFound(name));
    writeFileSync(join(root, "docs", `${name}.md`), `# About ${name}\n`);
    documents.push(await server.timeUntilDocumentFound(name));
    statuses.push(await timed(() => gitAt(root, "status", "--porcelain")));
  }
  const cpu = (server.cpuMs() - before) / NEW_FILES;
  say("  new file until found", median(code), { "git status": statuses });
  say("  new document until found", median(documents), { "git status": statuses });
  say("  CPU time of the server for one of each", cpu, {});
}

async function reportSwitches(root: string, server: Server): Promise<void> {
  const ours: number[] = [];
  const checkouts: number[] = [];
  for (let round = 0; round < SWITCHES * 2; round++) {
    const branch = round % 2 === 0 ? "two" : "one";
    checkouts.push(await timed(() => gitAt(root, "checkout", "-qf", branch)));
    ours.push(await server.timeUntilFound(branch === "two" ? "Changed10" : "Handle10"));
  }
  say(`  branch with ${SWITCHED} changed files until fresh`, median(ours), { "git checkout": checkouts });
}

function say(what: string, ours: number, theirs: Readonly<Record<string, readonly number[]>>): void {
  const ratios = Object.entries(theirs).map(
    ([name, times]) => `, ${name} ${median(times).toFixed(1)} ms: ${(ours / median(times)).toFixed(2)}×`,
  );
  console.log(`${what}: ${ours.toFixed(1)} ms${ratios.join("")}`);
}

interface ServerPlace {
  readonly binary: string;
  readonly root: string;
  readonly home: string;
}

async function startServer({ binary, root, home }: ServerPlace) {
  const client = startClient(binary, { cwd: root, env: { CONTEXTFUL_HOME: home } });
  await client.initialize();
  const answerTo = async (tool: string, input: object) =>
    JSON.stringify((await client.callTool(tool, input)).result ?? {});
  const isFound = async (name: string) => {
    const answer = await answerTo("search_code", {
      path: root,
      query: name,
      limit: 1,
      search_mode: "keyword",
    });
    return answer.includes('"files_changed":0') && answer.includes(`"name":"${name}"`);
  };
  const until = (isTrue: () => Promise<boolean>) =>
    timed(async () => {
      while (!(await isTrue()));
    });
  return {
    /** User and system time; 0 if the system does not say. */
    cpuMs: () => cpuMsOf(client.child.pid),
    isFound,
    ping: () => client.request("ping"),
    timeUntilFound: (name: string) => until(() => isFound(name)),
    timeUntilDocumentFound: (name: string) =>
      until(async () => (await answerTo("context.search", { query: name })).includes(`docs/${name}.md`)),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    // Fields 14 and 15 of proc_pid_stat, in hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Two branches of a tree that differ in some files. */
function writeMany(root: string): void {
  const write = (at: number, name: string) => {
    const text = `package p\n\n// ${name} answers requests of kind ${at}.\nfunc ${name}(x int) int {\n\treturn x + ${at}\n}\n`;
    writeFileSync(join(root, `p${at % 500}`, `file${at}.go`), text);
  };
  for (let at = 0; at < 500; at++) mkdirSync(join(root, `p${at}`), { recursive: true });
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "docs", "index.md"), "# Handlers\n");
  for (let at = 0; at < MANY; at++) write(at, `Handle${at}`);
  gitAt(root, "init", "-q", "-b", "one");
  gitAt(root, "add", "-A");
  gitAt(root, "commit", "-qm", "one");
  gitAt(root, "checkout", "-qb", "two");
  for (let at = 0; at < SWITCHED; at++) write(at, `Changed${at}`);
  gitAt(root, "commit", "-qam", "two");
  gitAt(root, "checkout", "-q", "one");
}
