import type { Machine } from "../core/machine.ts";
import type { App, RoomOffer } from "../core/room-offer.ts";

/** What opened rooms offer together. */
export function appOf(machine: Machine, rooms: readonly RoomOffer[]): App {
  /** Ends background work. A client that leaves aborts no signal; it only closes the app. */
  const ending = new AbortController();
  return {
    machine,
    tools: rooms.flatMap((room) => room.tools),
    resources: rooms.flatMap((room) => room.resources ?? []),
    prompts: rooms.flatMap((room) => room.prompts ?? []),
    async instructions() {
      const texts = await Promise.all(rooms.map((room) => room.instructions?.()));
      return texts.filter((text) => text !== undefined).join("\n\n") || undefined;
    },
    doctor: async () => (await Promise.all(rooms.map((room) => room.doctor?.() ?? []))).flat(),
    startBackground: (signal) => {
      if (signal.aborted) return;
      signal.addEventListener("abort", () => ending.abort(), { once: true });
      for (const room of rooms) room.startBackground?.(ending.signal);
    },
    async close() {
      ending.abort();
      await Promise.all(rooms.map((room) => room.close?.()));
    },
  };
}
