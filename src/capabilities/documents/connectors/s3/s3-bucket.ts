import { AwsClient } from "aws4fetch";
import { Parser } from "htmlparser2";
import { deadline } from "../../../../core/deadline.ts";
import { DomainError } from "../../../../core/errors.ts";
import { instantOf } from "../../timestamps.ts";

export interface S3Options {
  readonly label: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  /** Any S3-compatible server, over http or https; default: AWS. */
  readonly endpoint: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  readonly maxBytes: number;
  readonly settings: string;
  /** The only place for credentials; without them requests are anonymous, as for a public bucket. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Objects per page; S3 gives at most the default. */
  readonly pageSize?: number;
}

const DEADLINE_MS = 60_000;

export interface StoredObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly lastModified: number;
}

type S3Query = Readonly<Record<string, string>>;

/** A bucket that can be read. */
export interface Bucket {
  readonly options: S3Options;
  /** Sends a GET below the bucket and passes the response to `read`. Any other status throws `unavailable` with the status in `details`. */
  get<T>(
    path: string,
    query: S3Query,
    read: (answer: Response) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
}

export function openBucket(options: S3Options): Bucket {
  const { label, endpoint, region, bucket, env } = options;
  const accessKeyId = env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = env["AWS_SESSION_TOKEN"];
  if (!accessKeyId !== !secretAccessKey) {
    throw new DomainError(
      "invalid_input",
      `${label}: set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither for a public bucket`,
      { reason: "not_configured" },
    );
  }
  const signing = { ...(sessionToken && { sessionToken }), service: "s3", region, retries: 2 };
  const client =
    accessKeyId && secretAccessKey ? new AwsClient({ accessKeyId, secretAccessKey, ...signing }) : undefined;
  const base = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "")}/${encodeURIComponent(bucket)}`;
  return {
    options,
    async get(path, query, read, signal) {
      using limit = deadline(DEADLINE_MS, signal);
      const asked = new URLSearchParams(query).toString().replaceAll("+", "%20");
      const url = `${base}${path}${asked && `?${asked}`}`;
      const request = { redirect: "manual", signal: limit.signal } as const;
      const response = await (client ? client.fetch(url, request) : fetch(url, request));
      if (response.status === 200) return await read(response);
      const why = /<Code>([^<]*)<\/Code>/.exec((await response.text()).slice(0, 10_000))?.[1];
      throw new DomainError("unavailable", why ?? `the server answers ${response.status}`, {
        details: { status: response.status },
      });
    },
  };
}

interface PageRequest {
  readonly signal: AbortSignal;
  readonly token?: string | undefined;
  readonly most?: number;
}

export async function listPage(
  bucket: Bucket,
  { signal, token, most = bucket.options.pageSize ?? 1_000 }: PageRequest,
) {
  const { prefix } = bucket.options;
  const query = {
    "list-type": "2",
    "max-keys": String(most),
    ...(prefix && { prefix }),
    ...(token && { "continuation-token": token }),
  };
  return readListing(await bucket.get("", query, (answer) => answer.text(), signal));
}

/** One page of ListObjectsV2. */
export function readListing(xml: string): {
  readonly objects: StoredObject[];
  readonly next: string | undefined;
} {
  const objects: StoredObject[] = [];
  const page: Record<string, string> = {};
  let entry: Record<string, string> | undefined;
  let field = "";
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === "Contents") entry = {};
        field = name;
      },
      ontext(text) {
        const target = entry ?? page;
        target[field] = (target[field] ?? "") + text;
      },
      onclosetag(name) {
        field = "";
        if (name !== "Contents" || entry === undefined) return;
        objects.push(objectOf(entry));
        entry = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  return { objects, next: page["IsTruncated"] === "true" ? page["NextContinuationToken"] : undefined };
}

const objectOf = (entry: Readonly<Record<string, string>>): StoredObject => ({
  key: entry["Key"] ?? "",
  etag: (entry["ETag"] ?? "").replace(/^"|"$/g, ""),
  size: Number(entry["Size"] ?? 0),
  lastModified: instantOf(entry["LastModified"]) ?? 0,
});
