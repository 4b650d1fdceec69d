import type { App } from "../../core/room-offer.ts";

export interface OpenOptions {
  readonly root: string;
  readonly cacheRoot?: string | undefined;
  /** Undefined: any directory the user can read. */
  readonly allowed?: readonly string[] | undefined;
}
export interface McpServing {
  readonly profile: string;
  readonly names: "contract" | "safe";
}
export interface HttpServing extends McpServing {
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
}

/** What the other surfaces do for a command; handed in by bin.ts, since surfaces do not know each other. */
export interface Services {
  open(options: OpenOptions): App;
  /** Until the client leaves or `signal` aborts. */
  serveMcp(app: App, signal: AbortSignal, serving: McpServing): Promise<void>;
  serveHttp(app: App, serving: HttpServing): Promise<{ readonly port: number; close(): Promise<void> }>;
  toolDefinitions(app: App, profile: string): Promise<readonly unknown[]>;
}

/** Everything a command touches outside itself. */
export interface World {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** Recorded on writes: `user@host`. */
  readonly actor: string;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal stderr goes to; undefined where it goes elsewhere. */
  readonly terminalWidth: number | undefined;
  /** One line from the person at the terminal, `undefined` where they leave; absent where nobody is there. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  readonly services: Services;
}
