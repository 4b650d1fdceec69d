import { join } from "node:path";
import { afterAll } from "vitest";
import type { SyncContext } from "../../src/capabilities/team-memory/git-sync/sync-context.ts";
import { openTeamSync } from "../../src/capabilities/team-memory/git-sync/team-sync.ts";
import type { OwnWrite } from "../../src/capabilities/team-memory/store/own-writes.ts";
import { readScopes } from "../../src/capabilities/team-memory/store/scopes.ts";
import { openSidecars } from "../../src/capabilities/team-memory/store/sidecar.ts";
import { Config } from "../../src/core/config/config.ts";
import { sha256 } from "../../src/core/hash.ts";
import { type Clone, makeTeam, type Team } from "./git-team.ts";

export const STORE = ".context-teleport";
export const knowledge = (key: string) => `${STORE}/knowledge/${key}.md`;

/** Sync for the store in a clone, or in one of its folders. */
export function syncOf(
  { path }: Clone,
  memory: Partial<Config["memory"]> = {},
  folder = "",
  overrides: Partial<SyncContext> = {},
) {
  const root = join(path, folder);
  const directory = join(root, STORE);
  return openTeamSync({
    place: { root, directory },
    settings: { ...Config.parse({}).memory, ...memory },
    scopes: () => readScopes(openSidecars(directory)),
    now: () => new Date("2026-01-02T03:04:05Z"),
    actor: "mcp:test",
    signal: new AbortController().signal,
    ...overrides,
  });
}

/** As if this process had created these files of the store, with the content they have now. */
export const writtenByUs = (clone: Clone, ...paths: string[]): Map<string, OwnWrite> =>
  new Map(
    paths.map((path) => [
      path,
      { befores: [undefined], after: sha256(clone.read(`${STORE}/${path}`) ?? "") },
    ]),
  );

let start: Team | undefined;
afterAll(() => {
  start?.[Symbol.dispose]();
  start = undefined;
});

/** A remote and two clones, each with its own sync. */
export function twoClones() {
  start ??= makeTeam(2);
  const team = start.copy();
  const [ana, ben] = team.clones;
  if (!ana || !ben) throw new Error("two clones");
  return {
    team,
    ana,
    ben,
    mine: syncOf(ana),
    hers: syncOf(ben),
    [Symbol.dispose]: () => team[Symbol.dispose](),
  };
}
