import { sha256 } from "../../../core/hash.ts";
import type { StoreFileChange } from "./transaction.ts";

/** What this process wrote to one file of the store since somebody else changed it last. */
export interface OwnWrite {
  /** The content before each of our writes; `undefined`: there was no file. */
  readonly befores: readonly (Buffer | undefined)[];
  /** The hash of the last content that we wrote; `undefined`: we removed the file. */
  readonly after: string | undefined;
}
export type OwnWrites = ReadonlyMap<string, OwnWrite>;

/** Older contents are forgotten; then the file waits for a push that somebody asks for. */
const MAX_BEFORES = 50;

/** Notes a change before it is written. */
export function noteOwnWrite(
  written: Map<string, OwnWrite>,
  { path, content }: StoreFileChange,
  now: Buffer | undefined,
): void {
  const earlier = written.get(path);
  const isUntouched = earlier !== undefined && earlier.after === (now && sha256(now));
  written.set(path, {
    befores: [...(isUntouched ? earlier.befores : []), now].slice(-MAX_BEFORES),
    after: content === undefined ? undefined : sha256(content),
  });
}
