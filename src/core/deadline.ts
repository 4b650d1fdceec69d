interface Deadline extends Disposable {
  /** Aborts when the time is up or the caller's signal aborts, whichever comes first. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
}

/**
 * A time limit combined with a caller's signal. `AbortSignal.any` with `AbortSignal.timeout` would be shorter, but it
 * holds the timeout weakly: on Node 20 a garbage collection can remove the limit, and the work hangs.
 */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timeUp = new DOMException(`not done within ${ms / 1_000} s`, "TimeoutError");
  const timer = setTimeout(() => controller.abort(timeUp), ms);
  timer.unref();
  const follow = () => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return controller.signal.reason === timeUp;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}
