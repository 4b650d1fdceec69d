import { DomainError } from "../../../../core/errors.ts";
import { readWithin } from "../../../../core/s3/s3-bucket.ts";
import { extensionOf, formatOfPath, mediaTypeOf } from "../../formats/format.ts";
import { type Connector, type Item, type ItemReading, tooLarge } from "../connector.ts";
import { reasonOf } from "../fetch-page.ts";
import { pathMatcher } from "../path-matcher.ts";
import { type Bucket, listPage, openBucket, type S3Options, type StoredObject } from "./s3-bucket.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  json: "application/json",
  yaml: "text/yaml",
  yml: "text/yaml",
  rst: "text/x-rst",
  html: "text/html",
  htm: "text/html",
};

/** A million objects, if the pages are full. */
const MOST_PAGES = 1_000;

/** Objects of a bucket under a prefix. */
export function s3Connector(options: S3Options): Connector {
  const bucket = openBucket(options);
  return {
    label: options.label,
    type: "s3",
    parallel: 8,
    async check(signal) {
      try {
        await listPage(bucket, { signal, most: 1 });
        return { healthy: true, notes: `bucket: ${options.bucket}` };
      } catch (thrown) {
        return { healthy: false, notes: `bucket ${options.bucket}: ${failure(thrown, options)}` };
      }
    },
    async list(signal) {
      const isWanted = pathMatcher(options);
      const items: Item[] = [];
      let token: string | undefined;
      let pages = 0;
      do {
        // A server may name pages without end.
        if (++pages > MOST_PAGES) throw tooManyPages(options);
        const page = await listPage(bucket, { signal, token }).catch((thrown: unknown) => {
          signal.throwIfAborted();
          throw new DomainError("unavailable", `${options.label}: ${failure(thrown, options)}`, {
            cause: thrown,
          });
        });
        const wanted = page.objects.filter(
          ({ key }) => key !== "" && !key.endsWith("/") && isWanted(keyForGlobs(key, options.prefix)),
        );
        items.push(...wanted.map((object) => itemOf(bucket, object)));
        token = page.next;
      } while (token !== undefined);
      return { items, problems: [] };
    },
  };
}

const tooManyPages = ({ label }: S3Options) =>
  new DomainError("unavailable", `${label}: the bucket has more than ${MOST_PAGES} pages. Name a prefix.`);

/** A key as globs see it: without the prefix and the slash after it. */
export const keyForGlobs = (key: string, prefix: string): string =>
  key.slice(prefix.length).replace(/^\//, "");

function itemOf(bucket: Bucket, object: StoredObject): Item {
  const { key, size, lastModified } = object;
  const { options } = bucket;
  const stamp = stampOf(object, options);
  return {
    sourceId: key,
    stamp,
    updatedAt: lastModified,
    async read(_known, signal): Promise<ItemReading> {
      if (size > options.maxBytes) return tooLarge(options.maxBytes, stamp);
      try {
        const read = (answer: Response) => readWithin(answer, options.maxBytes);
        const bytes = await bucket.send({ key, signal }, read);
        return bytes === undefined ? tooLarge(options.maxBytes, stamp) : contentOf(object, bytes, options);
      } catch (thrown) {
        signal.throwIfAborted();
        if (statusOf(thrown) === 404) return { kind: "gone" };
        return { kind: "failed", reason: failure(thrown, options) };
      }
    },
  };
}

const stampOf = ({ etag, size, lastModified }: StoredObject, { settings }: S3Options) =>
  `${etag}:${size}:${lastModified}:${settings}`;

function contentOf(object: StoredObject, bytes: Uint8Array, options: S3Options): ItemReading {
  const { key, etag, size, lastModified } = object;
  const format = formatOfPath(key);
  return {
    kind: "content",
    bytes,
    format,
    contentType: MEDIA_TYPES[extensionOf(key)] ?? mediaTypeOf(format),
    stamp: stampOf(object, options),
    sourceUrl: `s3://${options.bucket}/${key}`,
    title: key.split("/").at(-1) ?? key,
    author: null,
    createdAt: undefined,
    updatedAt: undefined,
    guessedAt: lastModified,
    metadata: { bucket: options.bucket, etag, size },
    tags: options.tags,
  };
}

const statusOf = (thrown: unknown) => (thrown instanceof DomainError ? thrown.details["status"] : undefined);

function failure(thrown: unknown, { env }: S3Options): string {
  const status = statusOf(thrown);
  if ((status === 401 || status === 403) && env["AWS_ACCESS_KEY_ID"] === undefined) {
    return "access denied; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  }
  return reasonOf(thrown);
}
