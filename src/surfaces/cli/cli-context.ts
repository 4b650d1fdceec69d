import type { App } from "../../core/room-offer.ts";
import type { RoomName } from "../rooms.ts";

export interface OpenOptions {
  readonly root: string;
  readonly cacheRoot?: string | undefined;
  /** Undefined: any directory the user can read. */
  readonly allowed?: readonly string[] | undefined;
}
export interface McpServing {
  readonly profile: string;
  readonly names: "auto" | "contract" | "safe";
}
interface HttpServing extends McpServing {
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
  /** No tool that writes can be called. */
  readonly isReadOnly: boolean;
}

interface TeamServing extends McpServing {
  readonly host: string;
  readonly port: number;
  /** `undefined`: the environment names it. */
  readonly database: string | undefined;
  readonly webhookSecret: string | undefined;
  /** Addresses whose `Forwarded` headers are believed. */
  readonly proxies: readonly string[];
  readonly cacheGigabytes: number;
  readonly maxOpen: number;
}

/** What commands need from the other surfaces; main.ts passes it in, because surfaces do not import each other. */
export interface Services {
  /** Opens the rooms without any I/O, so that commands can be listed; with `room` only that one, if it works alone. */
  open(options: OpenOptions, room?: RoomName): App | Promise<App>;
  /** Throws `not_found` unless `root` is a directory. */
  requireDirectory(root: string): void;
  /** Serves until the client leaves or `signal` aborts. The rooms are opened when a request needs them. */
  serveMcp(
    project: { readonly root: string; open(): Promise<App> },
    signal: AbortSignal,
    serving: McpServing,
  ): Promise<void>;
  serveHttp(app: App, serving: HttpServing): Promise<{ readonly port: number; close(): Promise<void> }>;
  /** Serves the projects of a team's database. */
  serveTeam(serving: TeamServing): Promise<{ readonly port: number; close(): Promise<void> }>;
  /** Runs a command of ours as a process that outlives this one and prints nothing. */
  startAlone(words: readonly string[]): Promise<void>;
  toolDefinitions(app: App, profile: string): Promise<readonly unknown[]>;
}

/** Everything a command touches outside itself. */
export interface CliContext {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** The local user name; recorded on writes if git has no name for the user. */
  readonly actor: string;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal behind stderr; undefined if stderr is not a terminal. */
  readonly terminalWidth: number | undefined;
  /** Reads one line from the person at the terminal, `undefined` if they leave; absent if nobody is there. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  readonly services: Services;
}
