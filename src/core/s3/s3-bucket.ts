import { AwsClient } from "aws4fetch";
import { deadline } from "../deadline.ts";
import { DomainError } from "../errors.ts";

export interface BucketAddress {
  readonly bucket: string;
  readonly region: string;
  /** Any S3-compatible server, over http or https; default: AWS. */
  readonly endpoint: string | undefined;
  /** The only place for credentials; without them requests are anonymous, as for a public bucket. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Begins messages about the configuration. */
  readonly label: string;
}
interface BucketRequest {
  readonly method?: "GET" | "PUT" | "DELETE";
  /** Default: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request and passes the response to `read`. A status of failure throws `unavailable` with the status in `details`. */
export type SendToBucket = <T>(request: BucketRequest, read: (answer: Response) => Promise<T>) => Promise<T>;

const DEADLINE_MS = 60_000;

export function openS3Bucket({ label, endpoint, region, bucket, env }: BucketAddress): SendToBucket {
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
  return async ({ method = "GET", key, query = {}, body, signal }, read) => {
    using limit = deadline(DEADLINE_MS, signal);
    const path = key === undefined ? "" : `/${key.split("/").map(encodeURIComponent).join("/")}`;
    const asked = new URLSearchParams(query).toString().replaceAll("+", "%20");
    const url = `${base}${path}${asked && `?${asked}`}`;
    // A request takes no memory that threads may share, so it gets a copy.
    const sent = body && { body: new Uint8Array(body) };
    const request = { method, redirect: "manual", signal: limit.signal, ...sent } as const;
    const response = await (client ? client.fetch(url, request) : fetch(url, request));
    if (response.ok) return await read(response);
    const why = /<Code>([^<]*)<\/Code>/.exec((await response.text()).slice(0, 10_000))?.[1];
    throw new DomainError("unavailable", why ?? `the server answers ${response.status}`, {
      details: { status: response.status },
    });
  };
}

/** The body of an answer; `undefined` if it is longer. The server may send more bytes than it said. */
export async function readWithin(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
