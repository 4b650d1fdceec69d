import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../app/api.ts";
import { connections } from "../app/live.ts";
import { project } from "../app/router.ts";

interface Loaded<T> {
  readonly value: T | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** Reads from the server; again when `key` changes and when the server was away. The old value stays meanwhile. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({
    value: undefined,
    problem: undefined,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    load(leaving.signal).then(
      (value) => leaving.signal.aborted || setState({ value, problem: undefined, isLoading: false }),
      (thrown: unknown) =>
        leaving.signal.aborted ||
        setState((before) => ({ ...before, problem: messageOf(thrown), isLoading: false })),
    );
    return () => leaving.abort();
  }, [key, turn, project.value, Math.max(1, connections.value)]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
}
