import { request } from "node:http";
import { deflateRawSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
import { manifestId, packBlock } from "../../src/core/replica/blocks.ts";
import { encodeBlocks } from "../../src/core/replica/http/wire.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { openTestTeam } from "../support/team-server.ts";

const WAIT = { timeout: 100_000, interval: 50 };
const HASH = "ab".repeat(32);
const BLOCK = Buffer.from("the bytes of a block");
const MANIFEST = { version: 1 as const, length: BLOCK.length, block_bytes: 16_384, blocks: [sha256(BLOCK)] };
const GENERATION = {
  project: HASH,
  name: "shop",
  kind: "code-1.1",
  commit: "cd".repeat(20),
  published_at: "2026-01-01T00:00:00.000Z",
  manifest: manifestId(MANIFEST),
};
const publication = (generation: object = {}, manifest: object = {}) => ({
  generation: { ...GENERATION, ...generation },
  manifest: { ...MANIFEST, ...manifest },
});

describeWithPostgres("publishing to a team's server, hostile", (postgres) => {
  async function openShop() {
    const team = await openTestTeam(postgres());
    await team.add({ url: "file:///nowhere/shop.git", name: "shop" });
    await team.add({ url: "file:///nowhere/plans.git", name: "plans" });
    const server = await team.startServer("one");
    const url = await server.openSocket();
    const publisher = await team.token("ci", { project: "shop", role: "publish" });
    const reader = await team.token("ana", { project: "shop" });
    const post = async (token: string, name: string, body: unknown) => {
      const response = await fetch(`${url}/replica/${name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const putBlock = () => post(publisher, "put", encodeBlocks(new Map([[sha256(BLOCK), packBlock(BLOCK)]])));
    await vi.waitFor(async () => expect((await putBlock()).status).toBe(200), WAIT);
    await vi.waitFor(async () => {
      const answer = await post(reader, "put", encodeBlocks(new Map()));
      expect(answer.text).toContain("may not publish");
    }, WAIT);
    const published = async () =>
      Number(Object(await query(team.url, "SELECT count(*) AS n FROM contextful.generations"))[0].n);
    return {
      team,
      url,
      publisher,
      reader,
      post,
      published,
      [Symbol.asyncDispose]: () => team[Symbol.asyncDispose](),
    };
  }

  test("odd manifests, generations, names, roles and blocks are refused, and nothing is published", async () => {
    await using shop = await openShop();
    const bomb = Buffer.concat([Buffer.of(1), deflateRawSync(Buffer.alloc(50_000_000))]);
    const cases: readonly (readonly [string, string, string, unknown])[] = [
      ["no JSON", "publisher", "publish", Buffer.from("{")],
      ["nesting", "publisher", "publish", Buffer.from("[".repeat(1_000_000))],
      ["a manifest with another id", "publisher", "publish", publication({ manifest: HASH })],
      ["a block that was never sent", "publisher", "publish", withManifest({ blocks: [HASH] })],
      ["more blocks than bytes", "publisher", "publish", withManifest({ blocks: [HASH, HASH] })],
      ["a negative length", "publisher", "publish", withManifest({ length: -1 })],
      ["a huge length", "publisher", "publish", withManifest({ length: 1e15 })],
      ["blocks of no bytes", "publisher", "publish", withManifest({ block_bytes: 0 })],
      ["a block that is a path", "publisher", "publish", withManifest({ blocks: ["../../etc/passwd"] })],
      ["a prototype", "publisher", "publish", Buffer.from('{"__proto__":{"generation":{}},"generation":1}')],
      ["a commit that is a path", "publisher", "publish", publication({ commit: "../../x" })],
      ["a repository that is a path", "publisher", "publish", publication({ project: "../x" })],
      ["NUL in the kind", "publisher", "publish", publication({ kind: "code\0" })],
      ["a kind that is a path", "publisher", "publish", publication({ kind: "../../etc" })],
      ["direction marks in the kind", "publisher", "publish", publication({ kind: "code\u202e" })],
      ["a long kind", "publisher", "publish", publication({ kind: "k".repeat(100_000) })],
      ["a long name", "publisher", "publish", publication({ name: "n".repeat(100_000) })],
      ["NUL in the name", "publisher", "publish", publication({ name: "shop\0" })],
      ["a reader that publishes", "reader", "publish", publication()],
      ["a reader that names NUL", "reader", "publish", publication({ name: "a\0b" })],
      ["a block under a wrong name", "publisher", "put", encodeBlocks(new Map([[HASH, packBlock(BLOCK)]]))],
      ["a block that inflates", "publisher", "put", encodeBlocks(new Map([[HASH, bomb]]))],
      ["half a block", "publisher", "put", encodeBlocks(new Map([[HASH, packBlock(BLOCK)]])).subarray(0, 50)],
      ["more blocks than a publisher sends at once", "reader", "put", manyBlocks(2_000)],
      [
        "more blocks than a reader asks for at once",
        "reader",
        "get",
        { hashes: Array.from({ length: 5_000 }, (_, at) => sha256(String(at))) },
      ],
      ["an unknown call", "publisher", "constructor", {}],
      ["a call with a path", "publisher", "..%2f..%2fetc", {}],
      ["a lease of a name with a path", "publisher", "lease", { name: "../x", ttl_ms: 1 }],
      ["somebody else's lease", "reader", "renew", { name: "x", holder: "nobody", ttl_ms: 1 }],
    ];
    const odd: string[] = [];
    for (const [what, who, name, body] of cases) {
      const { status, text } = await shop.post(who === "reader" ? shop.reader : shop.publisher, name, body);
      const isRefused = (status >= 400 && status < 500) || text === '{"published":false}';
      if (!isRefused || text.length > 1_000) odd.push(`${what}: ${status} ${text.slice(0, 100)}`);
    }
    expect([odd, await shop.published()]).toEqual([[], 0]);
    const large = [
      await shop.post(shop.reader, "publish", Buffer.alloc(8_000_000, 32)),
      await shop.post(shop.publisher, "publish", Buffer.alloc(60_000_000, 32)),
    ];
    expect(large.map(({ status }) => status)).toEqual([413, 413]);
    expect(await shop.post(shop.publisher, "publish", publication())).toMatchObject({ status: 200 });
    expect(await shop.published()).toBe(1);
  });

  test("a name with NUL does not keep the audit from being written", async () => {
    await using shop = await openShop();
    await shop.post(shop.reader, "publish", publication({ name: "a\u202eb" }));
    await fetch(`${shop.url}/tools/search_code`, {
      method: "POST",
      headers: { authorization: `Bearer ${shop.reader}`, "content-type": "application/json" },
      body: JSON.stringify({ project: "no\0such\u001b[2J", query: "x" }),
    });
    await vi.waitFor(async () => {
      const rows = await query(
        shop.team.url,
        "SELECT target FROM contextful_team.audit WHERE outcome = 'denied'",
      );
      expect(JSON.stringify(rows)).toContain("such");
    }, WAIT);
    const rows = await query(
      shop.team.url,
      "SELECT target FROM contextful_team.audit WHERE outcome = 'denied'",
    );
    expect(JSON.stringify(rows)).not.toMatch(/\u202e|\\u001b/);
  });

  test("uploads that end in the middle, and many at once, change nothing", async () => {
    await using shop = await openShop();
    const abort = () =>
      new Promise<void>((resolve) => {
        const sent = request(`${shop.url}/replica/publish`, {
          method: "POST",
          headers: { authorization: `Bearer ${shop.publisher}`, "content-length": "100000" },
        });
        sent.on("error", () => {}).on("close", resolve);
        sent.write('{"generation":', () => sent.destroy());
      });
    await Promise.all(Array.from({ length: 50 }, abort));
    const same = await Promise.all(
      Array.from({ length: 20 }, () => shop.post(shop.publisher, "publish", publication())),
    );
    // One of them uses up the blocks that were sent: to the others they are missing, and a publisher then sends them again.
    expect(same.filter(({ text }) => text === '{"published":true}')).not.toEqual([]);
    expect(same.map(({ status }) => status)).toEqual(same.map(() => 200));
    expect(await shop.published()).toBe(1);
  });
});

function withManifest(change: object) {
  const manifest = { ...MANIFEST, ...change };
  return { generation: { ...GENERATION, manifest: manifestId(manifest) }, manifest };
}

const manyBlocks = (count: number) =>
  encodeBlocks(
    new Map(
      Array.from({ length: count }, (_, at) => {
        const bytes = Buffer.from(String(at));
        return [sha256(bytes), packBlock(bytes)];
      }),
    ),
  );
