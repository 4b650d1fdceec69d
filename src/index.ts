/** The library: open a project's rooms and call its tools. Each name here is a promise. */
export { type MachineOptions, openApp, openMachine } from "./app.ts";
export { DomainError, type ErrorCode } from "./core/errors.ts";
export type { App } from "./core/room-offer.ts";
export { type Call, invoke, type Tool } from "./core/tool.ts";
