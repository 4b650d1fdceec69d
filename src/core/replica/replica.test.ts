import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blockSuite, replicaSuite } from "../../../tests/support/replica-suite.ts";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { directoryBlocks } from "./directory/directory-blocks.ts";
import { directoryRegistry } from "./directory/directory-registry.ts";
import { openReplica } from "./open-replica.ts";

blockSuite();

replicaSuite("a directory", async () => {
  const directory = tempDir();
  const open = async () => ({
    blocks: directoryBlocks(join(directory.path, "blocks")),
    registry: directoryRegistry(directory.path),
    [Symbol.asyncDispose]: async () => {},
  });
  return {
    open,
    openStore: open,
    async damage(hash) {
      const file = join(directory.path, "blocks", hash.slice(0, 2), hash);
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
    },
    [Symbol.asyncDispose]: async () => directory[Symbol.dispose](),
  };
});

test("a store that a newer program wrote is refused, and a missing directory says so", async () => {
  using directory = tempDir();
  writeFileSync(join(directory.path, "contextful-team.json"), '{"contextful_team":99}');
  await expect(openReplica(directory.path)).rejects.toMatchObject({ reason: "newer_schema" });
  await expect(openReplica(`file://${directory.path}/absent`)).rejects.toMatchObject({
    reason: "team_unavailable",
  });
  await expect(openReplica("ftp://example.org")).rejects.toMatchObject({ code: "invalid_input" });
});
