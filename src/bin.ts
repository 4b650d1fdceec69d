#!/usr/bin/env node
import { dataDirectory } from "./core/home.ts";
import { keepCompiledCode, skipWasmOptimiser, takeStdout, watchProcess } from "./process.ts";

/** Servers may publish what they wrote before they end. Any other command ends within a second of a signal. */
const SERVERS = ["mcp", "serve", "start"];
const isServer = SERVERS.includes(process.argv[2] ?? "");
const stop = watchProcess({ graceMs: isServer ? undefined : 900 });
// Before anything else is loaded: a module that prints while it loads would already break the protocol.
const stdout = process.argv[2] === "mcp" ? takeStdout() : process.stdout;
keepCompiledCode(dataDirectory(process.env));
if (process.argv[2] === "search") skipWasmOptimiser();
// Everything else is loaded after that, so that its compiled code is kept.
const { main } = await import("./main.ts");
process.exitCode = await main({ stop, stdout });
// An open handle of a library must not keep the process, but everything printed must be written first.
stdout.write("", () => process.exit());
// After a signal, a client that never reads its answers must not keep a server alive.
const leave = () => void setTimeout(() => process.exit(), 500).unref();
if (isServer && stop.signal.aborted) leave();
else if (isServer) stop.signal.addEventListener("abort", leave);
