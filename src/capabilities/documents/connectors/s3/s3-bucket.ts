import { Parser } from "htmlparser2";
import { type BucketAddress, openS3Bucket, type SendToBucket } from "../../../../core/s3/s3-bucket.ts";
import { instantOf } from "../../timestamps.ts";

export interface S3Options extends BucketAddress {
  readonly prefix: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  readonly maxBytes: number;
  readonly settings: string;
  /** Objects per page; S3 gives at most the default. */
  readonly pageSize?: number;
}

export interface StoredObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly lastModified: number;
}

/** A bucket that can be read. */
export interface Bucket {
  readonly options: S3Options;
  readonly send: SendToBucket;
}

export const openBucket = (options: S3Options): Bucket => ({ options, send: openS3Bucket(options) });

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
  return readListing(await bucket.send({ query, signal }, (answer) => answer.text()));
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
