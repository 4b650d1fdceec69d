import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 16 MB and some 40 ms for each guess. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const HASH_BYTES = 32;
const TOKEN = /^ctx_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

interface HashedSecret {
  readonly salt: Buffer;
  readonly hash: Buffer;
}
interface ParsedToken {
  /** Finds the token's row; no secret. */
  readonly id: string;
  readonly secret: string;
}

/** A new token. Its text is shown once; only a slow hash of the secret part is stored. */
export async function createToken(): Promise<{ id: string; text: string } & HashedSecret> {
  const id = randomBytes(8).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  const salt = randomBytes(16);
  return { id, text: `ctx_${id}_${secret}`, salt, hash: await hashOf(secret, salt) };
}

export function parseToken(text: string): ParsedToken | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Compared with the secret of a token that does not exist, so that it takes as long as one that does. */
const NOBODY: HashedSecret = { salt: Buffer.alloc(16), hash: Buffer.alloc(HASH_BYTES) };

export async function isSecretOf(secret: string, { salt, hash }: HashedSecret = NOBODY): Promise<boolean> {
  return timingSafeEqual(await hashOf(secret, salt), hash);
}

const hashOf = (secret: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(secret, salt, HASH_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key)));
  });
