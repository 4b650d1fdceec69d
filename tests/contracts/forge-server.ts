import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

interface ForgeRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
}
type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/**
 * A stand-in for the API of a forge, over real HTTP: lists in pages of two with `Link` headers, filtered by the time of the
 * update. The entries have the fields that the public API documents.
 */
export async function startForge() {
  const lists = new Map<string, readonly Record<string, unknown>[]>();
  const repositories = new Map<string, string>();
  const requests: ForgeRequest[] = [];
  /** Answered instead, one for each request, until used up. */
  const instead: Answer[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const token = request.headers.authorization ?? request.headers["private-token"]?.toString();
    requests.push({ path: url.pathname, query: url.searchParams, token });
    const repository = [...repositories].find(([path]) => url.pathname.startsWith(`${path}/`));
    if (repository) return sendFile(response, join(repository[1], url.pathname.slice(repository[0].length)));
    const { status = 200, headers = {}, body } = instead.shift() ?? answerTo(url);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  const sendFile = (response: ServerResponse, file: string) =>
    void (existsSync(file) ? response.end(readFileSync(file)) : response.writeHead(404).end());
  const answerTo = (url: URL): Answer => {
    const list = lists.get(url.pathname);
    if (list === undefined) return { status: 404, body: { message: "Not Found" } };
    const since = url.searchParams.get("since") ?? url.searchParams.get("updated_after") ?? "";
    const entries = list.filter((entry) => String(entry["updated_at"] ?? "9") >= since);
    const page = Number(url.searchParams.get("page") ?? 1);
    const next = new URL(url);
    next.searchParams.set("page", String(page + 1));
    const hasMore = entries.length > page * 2;
    return {
      headers: hasMore ? { link: `<${next.href}>; rel="next", <${url.href}>; rel="first"` } : {},
      body: entries.slice((page - 1) * 2, page * 2),
    };
  };
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    instead,
    put: (path: string, entries: readonly Record<string, unknown>[]) => void lists.set(path, entries),
    /** A bare repository, as files: git reads it so too, once `git update-server-info` has listed its branches. */
    serve(path: string, directory: string) {
      execFileSync("git", ["update-server-info"], { cwd: directory });
      repositories.set(path, directory);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const githubIssue = (number: number, updated_at: string, more: object = {}) => ({
  id: 9_000 + number,
  number,
  title: `Issue ${number}`,
  body: `Body of ${number}.`,
  state: "closed",
  state_reason: "completed",
  html_url: `https://github.com/acme/pumps/issues/${number}`,
  user: { login: "ada", id: 1, type: "User" },
  labels: [{ id: 1, name: "bug", color: "f00" }],
  comments: 0,
  created_at: "2026-01-01T00:00:00Z",
  updated_at,
  ...more,
});

export const gitlabIssue = (iid: number, updated_at: string, more: object = {}) => ({
  id: 9_000 + iid,
  iid,
  project_id: 7,
  title: `Issue ${iid}`,
  description: `Body of ${iid}.`,
  state: "opened",
  web_url: `https://gitlab.com/acme/plant/pumps/-/issues/${iid}`,
  author: { id: 1, username: "ada", name: "Ada" },
  labels: ["bug"],
  user_notes_count: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at,
  ...more,
});
