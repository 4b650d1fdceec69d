/** Runs `make` at the first call and keeps what it gave; a failure is not kept, so the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = undefined;
      throw thrown;
    });
    return made;
  };
}
