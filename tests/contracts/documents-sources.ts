import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { S3_KEYS, startS3 } from "../support/s3-server.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A source of documents that a test can change: real files, a real remote, a real server, a real program. */
export interface TestSource {
  /** `type:name` of the one connector in `connectors`. */
  readonly label: string;
  readonly connectors: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly env: Readonly<Record<string, string>>;
  /** The source id of the document with this name. */
  sourceId(name: string): string;
  put(files: Readonly<Record<string, string>>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes the source unreachable. */
  breakDown(): Promise<void>;
  end(): Promise<void>;
}

const save = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

export async function filesSource(): Promise<TestSource> {
  const directory = tempDir();
  const root = join(directory.path, "docs");
  mkdirSync(root);
  return {
    label: "filesystem:docs",
    connectors: { filesystem: { docs: { root, tags: ["handbook"], exclude: ["drafts/**"] } } },
    env: {},
    sourceId: (name) => name,
    async put(files) {
      for (const [name, text] of Object.entries(files)) save(join(root, name), text);
    },
    remove: async (name) => rmSync(join(root, name)),
    breakDown: async () => rmSync(root, { recursive: true }),
    end: async () => directory[Symbol.dispose](),
  };
}

export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    },
  });

/** A bare remote and a clone of it to work in. */
export function gitRemote() {
  const directory = tempDir();
  const remote = join(directory.path, "handbook.git");
  const work = join(directory.path, "work");
  gitIn(directory.path, "init", "-q", "--bare", "-b", "main", remote);
  gitIn(directory.path, "init", "-q", "-b", "main", work);
  gitIn(work, "remote", "add", "origin", remote);
  return {
    remote,
    work,
    git: (...args: string[]) => gitIn(work, ...args),
    publish(message = "change") {
      gitIn(work, "add", "-A");
      gitIn(work, "commit", "-q", "--allow-empty", "-m", message);
      gitIn(work, "push", "-q", "origin", "main");
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

export async function gitSource(): Promise<TestSource> {
  const repository = gitRemote();
  const { remote, work } = repository;
  const section = { url: remote, root: "docs", tags: ["handbook"], exclude: ["drafts/**"] };
  return {
    label: "git:handbook",
    connectors: { git: { handbook: section } },
    env: {},
    sourceId: (name) => name,
    async put(files) {
      for (const [name, text] of Object.entries(files)) save(join(work, "docs", name), text);
      repository.publish();
    },
    async remove(name) {
      rmSync(join(work, "docs", name));
      repository.publish();
    },
    breakDown: async () => rmSync(remote, { recursive: true }),
    end: async () => repository[Symbol.dispose](),
  };
}

/** Status, headers and body. */
type Answer = [number, Record<string, string>, string | Uint8Array];

/** A small site that sends validators and records its requests. */
export async function openSite() {
  const pages = new Map<string, { body: string; type: string; version: number }>();
  const asked: { path: string; status: number; conditional: boolean }[] = [];
  const state = { robots: "", extra: new Map<string, (request: IncomingMessage) => Answer>() };
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const [status, headers, body] = answer(request, path);
    asked.push({ path, status, conditional: request.headers["if-none-match"] !== undefined });
    response.writeHead(status, headers).end(body);
  });
  const answer = (request: IncomingMessage, path: string): Answer => {
    const special = state.extra.get(path);
    if (special) return special(request);
    if (path === "/robots.txt") return state.robots === "" ? [404, {}, ""] : [200, {}, state.robots];
    if (path === "/sitemap.xml") {
      const urls = [...pages.keys()].map((name) => `<url><loc>${address()}${name}</loc></url>`);
      return [200, { "content-type": "application/xml" }, `<urlset>${urls.join("")}</urlset>`];
    }
    const page = pages.get(path);
    if (!page) return [404, {}, "no such page"];
    const etag = `"v${page.version}"`;
    if (request.headers["if-none-match"] === etag) return [304, { etag }, ""];
    return [200, { "content-type": page.type, etag }, page.body];
  };
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  // A listening TCP server always has such an address.
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = address();
  return {
    origin,
    asked,
    state,
    put(path: string, body: string, type = "text/html; charset=utf-8") {
      pages.set(path, { body, type, version: (pages.get(path)?.version ?? 0) + 1 });
    },
    remove: (path: string) => pages.delete(path),
    close: () =>
      new Promise<void>((settle) => {
        server.closeAllConnections();
        server.close(() => settle());
      }),
  };
}

export async function webSource(): Promise<TestSource> {
  const site = await openSite();
  const section = {
    sitemap: `${site.origin}/sitemap.xml`,
    exclude: ["drafts/**"],
    tags: ["handbook"],
    delay_ms: 0,
    allow_private_addresses: true,
  };
  const address = (name: string) => `/${name.split("/").map(encodeURIComponent).join("/")}`;
  return {
    label: "web:site",
    connectors: { web: { site: section } },
    env: {},
    sourceId: (name) => `${site.origin}${address(name)}`,
    async put(files) {
      for (const [name, text] of Object.entries(files)) site.put(address(name), text, "text/markdown");
    },
    remove: async (name) => void site.remove(address(name)),
    breakDown: () => site.close(),
    end: () => site.close(),
  };
}

export async function s3Source(): Promise<TestSource> {
  const server = await startS3("handbook");
  const section = {
    bucket: "handbook",
    prefix: "docs/",
    endpoint_url: server.endpoint,
    tags: ["handbook"],
    exclude: ["drafts/**"],
  };
  return {
    label: "s3:bucket",
    connectors: { s3: { bucket: section } },
    env: S3_KEYS,
    sourceId: (name) => `docs/${name}`,
    async put(files) {
      for (const [name, text] of Object.entries(files)) await server.put(`docs/${name}`, text);
    },
    remove: (name) => server.remove(`docs/${name}`),
    breakDown: () => server.stop(),
    end: () => server.end(),
  };
}

export async function commandSource(): Promise<TestSource> {
  const directory = tempDir();
  const script = join(directory.path, "items.mjs");
  const list = join(directory.path, "items.jsonl");
  const items = new Map<string, string>();
  const print = () =>
    writeFileSync(
      list,
      [...items]
        .map(([source_id, body]) => `${JSON.stringify({ source_id, body, title: source_id })}\n`)
        .join(""),
    );
  writeFileSync(
    script,
    `import { readFileSync } from "node:fs"; process.stdout.write(readFileSync(${JSON.stringify(list)}));`,
  );
  print();
  return {
    label: "command:items",
    connectors: { command: { items: { command: [process.execPath, script], tags: ["handbook"] } } },
    env: { PATH: process.env["PATH"] ?? "" },
    sourceId: (name) => name,
    async put(files) {
      for (const [name, text] of Object.entries(files))
        if (!name.startsWith("drafts/")) items.set(name, text);
      print();
    },
    async remove(name) {
      items.delete(name);
      print();
    },
    breakDown: async () => rmSync(list),
    end: async () => directory[Symbol.dispose](),
  };
}
