import { DomainError } from "../errors.ts";

const MAX_PATH = 4096;
const MAX_NAME = 255;

const invalid = (message: string) =>
  new DomainError("invalid_input", message, { reason: "invalid_path", details: { param: "path" } });

/** Refuses strings that cannot be a path, before the system is asked: with NUL, or too long. */
export function checkPathForm(path: string): void {
  if (path.includes("\0")) throw invalid("A path cannot hold a NUL byte.");
  if (Buffer.byteLength(path) > MAX_PATH) throw invalid(`A path cannot be longer than ${MAX_PATH} bytes.`);
  if (path.split(/[\\/]/).some((name) => Buffer.byteLength(name) > MAX_NAME)) {
    throw invalid(`A name in a path cannot be longer than ${MAX_NAME} bytes.`);
  }
}

/** Refuses a relative path that leaves its start directory on any system. `..foo` is a plain name. */
export function checkStaysInside(path: string): void {
  checkPathForm(path);
  const leaves =
    path.startsWith("/") ||
    path.startsWith("\\") ||
    /^[A-Za-z]:([\\/]|$)/.test(path) ||
    /^[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\//.test(path) ||
    path.split(/[\\/]/).includes("..");
  if (leaves) throw outside(path);
}

export const outside = (path: string) =>
  new DomainError(
    "forbidden_path",
    `Outside the project: ${path}. Give a path inside it, relative to its root.`,
    {
      reason: "path_outside_root",
      details: { param: "path" },
    },
  );

/** Kernel file systems show devices and other processes' memory; they are never a project. */
export const isKernelPath = (real: string): boolean =>
  /^\/(?:proc|sys|dev)(?:\/|$)/.test(real) && !/^\/dev\/shm(?:\/|$)/.test(real);
