import { sha256 } from "../../../core/hash.ts";
import { LruCache } from "../../../core/lru-cache.ts";
import type { AccessBook, TokenRow } from "./access-book.ts";
import type { AuditBuffer } from "./audit-buffer.ts";
import { RateLimits } from "./rate-limits.ts";
import { isSecretOf, parseToken } from "./token.ts";

export type Admitted =
  | { readonly token: TokenRow }
  | { readonly refused: "unknown" }
  | { readonly refused: "too_many"; readonly retryAfterSeconds: number };

const MAX_VERIFIED = 10_000;
/** A new token costs tens of milliseconds. Known ones do not count. */
const NEW_TOKENS_PER_MINUTE = 60;

interface AdmissionOptions {
  readonly book: AccessBook;
  readonly audit: AuditBuffer;
  now(): Date;
}

/** Finds the token of a request. A wrong token and one that has expired or was revoked get the same answer. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #limits = new RateLimits();
  /** By the hash of a token's text: the id whose secret it has. The slow hash is computed once for each process. */
  readonly #verified = new LruCache<string>(MAX_VERIFIED);

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  async admit(bearer: string | undefined, address: string): Promise<Admitted> {
    const { book, audit } = this.#options;
    const now = this.#options.now();
    const parsed = bearer === undefined ? undefined : parseToken(bearer);
    const key = sha256(bearer ?? "");
    const isKnown = this.#verified.get(key) !== undefined;
    if (parsed && !isKnown) {
      const wait = this.#limits.take(`address ${address}`, NEW_TOKENS_PER_MINUTE, now.getTime());
      if (wait > 0) {
        audit.denied({ actor: "unknown", action: "sign in too often", target: "", address });
        return { refused: "too_many", retryAfterSeconds: wait };
      }
    }
    const row = parsed && book.token(parsed.id);
    const isValid = parsed !== undefined && (isKnown || (await isSecretOf(parsed.secret, row)));
    const isAlive = row !== undefined && (row.expires_at === null || row.expires_at > now.toISOString());
    if (!isValid || !isAlive) {
      audit.denied({ actor: row?.name ?? "unknown", action: "sign in", target: "", address });
      return { refused: "unknown" };
    }
    this.#verified.set(key, row.id);
    const wait = this.#limits.take(row.id, row.calls_per_minute, now.getTime());
    if (wait > 0) {
      audit.denied({ actor: row.name, action: "call too often", target: "", address });
      return { refused: "too_many", retryAfterSeconds: wait };
    }
    audit.used(row.id);
    return { token: row };
  }
}
