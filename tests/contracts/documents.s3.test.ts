import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { s3Connector } from "../../src/capabilities/documents/connectors/s3/s3.ts";
import { startS3 } from "../support/s3-server.ts";

const signal = new AbortController().signal;

const optionsFor = (endpoint: string) => ({
  label: "s3:papers",
  bucket: "papers",
  prefix: "",
  region: "us-east-1",
  endpoint,
  include: ["**"],
  exclude: [],
  tags: [],
  maxBytes: 1_000,
  settings: "",
  env: { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" },
});

describe("s3", () => {
  test("a server that names pages without end is refused", async () => {
    const page =
      "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken></ListBucketResult>";
    await using server = createServer((_request, response) => void response.end(page)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const port = Object(server.address()).port;
    const connector = s3Connector(optionsFor(`http://127.0.0.1:${port}`));
    await expect(connector.list(signal, { known: new Map(), readAt: undefined })).rejects.toThrow(
      "s3:papers: the bucket has more than 1000 pages. Name a prefix.",
    );
  });

  test("long listings are read in pages, wrong keys are refused, and types follow the names", async () => {
    const server = await startS3("papers");
    try {
      for (const key of ["a.md", "b.txt", "c/d.md", "c/e.json", "f.md"]) await server.put(key, "heron");
      const options = optionsFor(server.endpoint);
      const { items } = await s3Connector({ ...options, pageSize: 2 }).list(signal, {
        known: new Map(),
        readAt: undefined,
      });
      const readings = await Promise.all(items.map((item) => item.read(undefined, signal)));
      expect(
        readings.map((reading) =>
          reading.kind === "content" ? [reading.sourceUrl, reading.contentType] : reading,
        ),
      ).toEqual([
        ["s3://papers/a.md", "text/markdown"],
        ["s3://papers/b.txt", "text/plain"],
        ["s3://papers/c/d.md", "text/markdown"],
        ["s3://papers/c/e.json", "application/json"],
        ["s3://papers/f.md", "text/markdown"],
      ]);
      const wrong = s3Connector({ ...options, env: { ...options.env, AWS_SECRET_ACCESS_KEY: "wrong" } });
      expect(await wrong.check(signal)).toEqual({
        healthy: false,
        notes: "bucket papers: SignatureDoesNotMatch",
      });
      expect(await s3Connector({ ...options, bucket: "none" }).check(signal)).toMatchObject({
        healthy: false,
      });
      expect(() => s3Connector({ ...options, env: { AWS_ACCESS_KEY_ID: "half" } })).toThrow(/set both/);
    } finally {
      await server.end();
    }
  });
});
