/** Requests of one turn of the event loop are answered together, for example by one git process. */
export function batched<T>(
  answer: (keys: readonly string[]) => Promise<readonly T[]>,
): (key: string) => Promise<T | undefined> {
  let waiting: string[] = [];
  let batch: Promise<readonly T[]> | undefined;
  return async (key) => {
    const place = waiting.push(key) - 1;
    batch ??= new Promise((settle, reject) => {
      setImmediate(() => {
        const keys = waiting;
        waiting = [];
        batch = undefined;
        answer(keys).then(settle, reject);
      });
    });
    return (await batch)[place];
  };
}
