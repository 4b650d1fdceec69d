import { DomainError } from "../../../core/errors.ts";

/** Refuses addresses that git would read as options or as helpers that run programs, and those with a password. */
export function checkAddress(url: string): string {
  const isPlain = /^(?:https?|ssh|file):\/\/[^-]/i.test(url) || /^[\w.-]+@[\w.-]+:(?!:)/.test(url);
  if (!isPlain) {
    throw new DomainError(
      "invalid_input",
      "Give an address that git can clone: https://, ssh://, file:// or git@HOST:PATH.",
      {
        details: { param: "url" },
      },
    );
  }
  if (/^https?:\/\/[^/]*@/i.test(url) || /^ssh:\/\/[^/]*:[^/]*@/i.test(url)) {
    throw new DomainError(
      "invalid_input",
      "The address has a password or token in it. Leave it out, and give the workers a credential helper of git.",
      { details: { param: "url" } },
    );
  }
  return url;
}

/** `OWNER/NAME`, as forges call it. */
export function nameOfAddress(url: string): string {
  const parts = hostAndPath(url).split("/").filter(Boolean);
  return parts.slice(Math.max(url.startsWith("file:") ? 0 : 1, parts.length - 2)).join("/");
}

/** The same for every way to write the address of one repository: `HOST/PATH` in lower case, without `.git`. */
export const hostAndPath = (url: string): string =>
  url
    .trim()
    .replace(/^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\//i, "$1/")
    .replace(/^[^@/]+@([^:/]+):/, "$1/")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "")
    .toLowerCase();
