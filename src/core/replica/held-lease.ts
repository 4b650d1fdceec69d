import type { Registry } from "./replica.ts";

/** A lease that is renewed until it is disposed of; `undefined` if somebody else has it. */
export async function holdLease(
  { lease }: Pick<Registry, "lease">,
  name: string,
  ttlMs: number,
): Promise<AsyncDisposable | undefined> {
  const held = await lease(name, ttlMs);
  if (held === undefined) return undefined;
  const renewing = setInterval(() => void held.renew().catch(() => {}), ttlMs / 4);
  renewing.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await held.release();
    },
  };
}
