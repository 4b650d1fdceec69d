import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** No inline script, nothing from elsewhere, no frames, and no string becomes script or HTML. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": POLICY,
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** Path → file in `dist/web` and its type. */
export const PAGE_FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/": { file: "index.html", type: "text/html; charset=utf-8" },
  "/page/page.js": { file: "page.js", type: "text/javascript; charset=utf-8" },
  "/page/page.css": { file: "page.css", type: "text/css; charset=utf-8" },
  "/page/icon.svg": { file: "icon.svg", type: "image/svg+xml" },
};

/** In the build the files are beside the program. In the sources there are none until the first build. */
export const builtFiles = (): URL => new URL("./web/", import.meta.url);

export async function pageFile(path: string, folder: URL): Promise<Response | undefined> {
  const known = PAGE_FILES[path];
  const file = known && new URL(known.file, folder);
  if (!file || !existsSync(file)) return undefined;
  return new Response(await readFile(file), {
    headers: { ...SAFE_HEADERS, "Content-Type": known.type, "Cache-Control": "no-cache" },
  });
}
