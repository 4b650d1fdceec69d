import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replicaSuite } from "../../../../tests/support/replica-suite.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { sha256 } from "../../hash.ts";
import { packBlock } from "../blocks.ts";
import { directoryBlocks } from "../directory/directory-blocks.ts";
import { directoryRegistry } from "../directory/directory-registry.ts";
import { httpReplica } from "./http-replica.ts";
import { answerReplicaCall } from "./replica-handler.ts";

const TOKEN = "ctx_token";

/** A directory behind a real socket. */
async function serveDirectory() {
  const directory = tempDir();
  const replica = {
    blocks: directoryBlocks(join(directory.path, "blocks")),
    registry: directoryRegistry(directory.path),
    [Symbol.asyncDispose]: async () => {},
  };
  let busy = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    if (busy-- > 0) return response.writeHead(429, { "retry-after": "0" }).end();
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return response.writeHead(401).end("{}");
    const name = /^\/replica\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "";
    const answer = await answerReplicaCall(replica, { name, body: Buffer.concat(parts) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    return response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    replica,
    refuse: (times: number) => {
      busy = times;
    },
    async damage(hash: string) {
      const file = join(directory.path, "blocks", hash.slice(0, 2), hash);
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      directory[Symbol.dispose]();
    },
  };
}

replicaSuite("a server over HTTP", async () => {
  const server = await serveDirectory();
  return {
    ...server,
    open: async () => httpReplica({ url: server.url, token: TOKEN }),
    openStore: async () => server.replica,
  };
});

test("a block under a wrong name is refused", async () => {
  await using server = await serveDirectory();
  const { blocks } = httpReplica({ url: server.url, token: TOKEN });
  const wrong = new Map([[sha256("another"), packBlock(Buffer.from("text"))]]);
  await expect(blocks.put(wrong)).rejects.toMatchObject({ code: "invalid_input", reason: "wire" });
});

test("a wrong token, a server that is away and a busy one are told apart", async () => {
  await using server = await serveDirectory();
  const ask = (url: string, token: string) =>
    httpReplica({ url, token }).registry.generations(sha256("shop"), "code");
  await expect(ask(server.url, "ctx_wrong")).rejects.toMatchObject({ reason: "team_token" });
  await expect(ask("http://127.0.0.1:1", TOKEN)).rejects.toMatchObject({ reason: "team_unavailable" });
  server.refuse(1);
  expect(await ask(server.url, TOKEN)).toEqual([]);
});
