import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { deadline } from "../../../core/deadline.ts";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { publicLookup, refusePrivateHost } from "./private-addresses.ts";

export interface FetchLimits {
  readonly maxBytes: number;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** Asked before a redirect is followed; it throws to refuse. */
  onRedirect?(to: URL): Promise<void>;
}
export interface FetchedPage {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** The address after redirects. */
  readonly url: string;
}

export const USER_AGENT = "contextful";
const MOST_REDIRECTS = 5;
const DEADLINE_MS = 20_000;
const DECODERS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Fetches a page over http or https. Every redirect is checked again, and connects to the address that was checked. */
export async function fetchPage(
  address: string,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
): Promise<FetchedPage> {
  using limit = deadline(DEADLINE_MS, limits.signal);
  let url = new URL(address);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const response = await send(url, headers, { ...limits, signal: limit.signal });
    const { statusCode = 0, headers: answered } = response;
    if (statusCode >= 300 && statusCode < 400 && statusCode !== 304 && answered.location !== undefined) {
      response.destroy();
      url = new URL(answered.location, url);
      refuseForeign(url, limits);
      await limits.onRedirect?.(url);
      continue;
    }
    const body = await readBody(response, limits.maxBytes);
    return { status: statusCode, headers: answered, body, url: url.href };
  }
  throw new DomainError("unavailable", `more than ${MOST_REDIRECTS} redirects from ${address}`);
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: FetchLimits,
): Promise<IncomingMessage> {
  refuseForeign(url, limits);
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((settle, reject) => {
    const request = start(url, {
      headers: { "user-agent": USER_AGENT, "accept-encoding": "gzip, br", ...headers },
      agent: false,
      maxHeaderSize: 64 * 1024,
      signal: limits.signal,
      ...(limits.allowPrivate ? {} : { lookup: publicLookup }),
    });
    request.on("response", settle);
    request.on("error", reject);
    request.end();
  });
}

function refuseForeign(url: URL, { allowPrivate }: FetchLimits): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new DomainError("forbidden_path", `only http and https are fetched, not ${url.protocol}`);
  }
  if (!allowPrivate) refusePrivateHost(url.hostname);
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new DomainError("unavailable", `larger than ${maxBytes} bytes`, { reason: "too_large" });
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(bytes);
  }
  const encoding = response.headers["content-encoding"]?.toLowerCase() ?? "identity";
  const decoder = Object.entries(DECODERS).find(([name]) => name === encoding)?.[1];
  const body = Buffer.concat(chunks);
  if (decoder === undefined || body.length === 0) return body;
  return decoder(body, { maxOutputLength: maxBytes }).catch((thrown: unknown) => {
    if (errnoOf(thrown) === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw new DomainError("unavailable", `its ${encoding} encoding is broken`, { cause: thrown });
  });
}

/** Why a request failed, in a few words. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "failed";
  if (thrown.name === "TimeoutError" || thrown.name === "AbortError") return "did not answer in time";
  return thrown.message.slice(0, 200) || ("code" in thrown ? String(thrown.code) : thrown.name);
}
