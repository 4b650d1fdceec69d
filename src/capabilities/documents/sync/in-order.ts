/** Does some of the work ahead, up to `width` at once, and gives the results in the order of the items. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  const next = () => running.shift();
  for (const item of items) {
    const started = work(item);
    // It is awaited in its turn; a failure before that is not unhandled.
    started.catch(() => {});
    running.push(started);
    if (running.length < width) continue;
    const first = next();
    if (first) yield await first;
  }
  for (let first = next(); first !== undefined; first = next()) yield await first;
}
