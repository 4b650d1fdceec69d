interface Closable {
  close(): Promise<void>;
}

/** One for all who ask in this process: opened by the first, closed by the last. A failure is not kept. */
export function shared<T extends Closable>(open: () => Promise<T>): () => Promise<T> {
  let current: { readonly resource: Promise<T>; users: number } | undefined;
  return async () => {
    current ??= { resource: open(), users: 0 };
    const mine = current;
    mine.users++;
    const leave = () => {
      if (--mine.users > 0) return false;
      if (current === mine) current = undefined;
      return true;
    };
    try {
      const resource = await mine.resource;
      let isOpen = true;
      const close = async () => {
        const isMine = isOpen;
        isOpen = false;
        if (isMine && leave()) await resource.close();
      };
      return { ...resource, close };
    } catch (thrown) {
      leave();
      throw thrown;
    }
  };
}
