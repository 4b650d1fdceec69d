/** The rooms in the order they are listed. Each edge has a table with one row per room, checked by the compiler. */
export const ROOMS = [
  "directory-contexts",
  "context-caches",
  "team-memory",
  "documents",
  "code-index",
  "packs",
  "evaluation",
  "clients",
  "team",
] as const;
export type RoomName = (typeof ROOMS)[number];

export const isRoomName = (name: string): name is RoomName => ROOMS.some((room) => room === name);

/** One sentence about each room, for help and for the OpenAPI document. */
export const ROOM_SUMMARY = {
  "directory-contexts": "What each directory is for, and whether that is still true",
  "context-caches": "Build caches of documents; the same question gives the same bytes",
  "team-memory": "What the team knows, decided and agreed on, kept in the repository",
  documents: "Bring documents in from connectors, find them, read them",
  "code-index": "Index code; find it by name or by meaning",
  packs: "One answer from all rooms, within a token budget",
  evaluation: "Measure packs and searches on the commits of this repository",
  clients: "Set up coding agents, and exchange rules with them",
  team: "Run one index for a team: tokens, repositories, workers, servers",
} as const satisfies Record<RoomName, string>;
