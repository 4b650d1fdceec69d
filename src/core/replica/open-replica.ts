import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { directoryBlocks, readIfPresent } from "./directory/directory-blocks.ts";
import { directoryRegistry } from "./directory/directory-registry.ts";
import type { Replica, TeamStore } from "./replica.ts";

const LAYOUT = 1;
const MAX_LAYOUT = 4_096;
const LayoutFile = z.object({ contextful_team: z.int() });

type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/** Opens a team's store, or the team's server in front of one. `env` says where access tokens are. */
export async function openReplica(url: string, env: StoreEnvironment = process.env): Promise<Replica> {
  if (!/^https?:/.test(url)) return openTeamStore(url, env);
  const { openHttpReplica } = await import("./http/open-http.ts");
  return openHttpReplica(url, env);
}

/** Opens a directory (a path or a `file:` URL) or a PostgreSQL database. `env` has the keys of a bucket. */
export async function openTeamStore(url: string, env: StoreEnvironment = process.env): Promise<TeamStore> {
  if (/^postgres(?:ql)?:/.test(url)) {
    const { openPostgresStore } = await import("./postgres/open-postgres.ts");
    return openPostgresStore(url, env);
  }
  const directory = directoryOf(url);
  if (directory === undefined) throw unknownUrl();
  return openDirectoryStore(directory);
}

async function openDirectoryStore(directory: string): Promise<TeamStore> {
  if (!(await stat(directory).catch(() => undefined))?.isDirectory()) {
    throw new DomainError(
      "unavailable",
      "The team's directory is not there. Create it, or mount its drive.",
      {
        reason: "team_unavailable",
      },
    );
  }
  await checkLayout(join(directory, "contextful-team.json"));
  return {
    blocks: directoryBlocks(join(directory, "blocks")),
    registry: directoryRegistry(directory),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The file is written by the first program that may write; readers do without it. */
async function checkLayout(file: string): Promise<void> {
  const text = await readIfPresent(file, MAX_LAYOUT);
  if (text === undefined) {
    await writeFileAtomic(file, JSON.stringify({ contextful_team: LAYOUT }), 0o644).catch(() => {});
    return;
  }
  const layout = layoutOf(text.toString("utf8"));
  if (layout === undefined) throw notAStore();
  if (layout > LAYOUT) {
    throw new DomainError(
      "conflict",
      "The team's store was written by a newer contextful. Upgrade this one.",
      {
        reason: "newer_schema",
      },
    );
  }
}

function layoutOf(text: string): number | undefined {
  try {
    return LayoutFile.parse(JSON.parse(text)).contextful_team;
  } catch {
    return undefined;
  }
}

const notAStore = () =>
  new DomainError("conflict", "The team's directory has a contextful-team.json that we did not write.", {
    reason: "config",
  });

function directoryOf(url: string): string | undefined {
  if (isAbsolute(url)) return url;
  return url.startsWith("file:") ? fileURLToPath(url) : undefined;
}

const unknownUrl = () =>
  new DomainError("invalid_input", "A team's store is an absolute path, a file:, postgres: or https: URL.", {
    reason: "config",
  });
