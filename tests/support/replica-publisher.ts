import { randomBytes, randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { sha256 } from "../../src/core/hash.ts";
import { BLOCK_BYTES } from "../../src/core/replica/blocks.ts";
import { collectGarbage } from "../../src/core/replica/collect.ts";
import { openTeamStore } from "../../src/core/replica/open-replica.ts";
import { publishFile } from "../../src/core/replica/publish.ts";

/** One process of the fault tests: publishes until it is killed, and says what it begins and what is acknowledged. */
const [url = "", file = ""] = process.argv.slice(2);
const say = (...words: string[]) => process.stdout.write(`${words.join(" ")}\n`);
const bytes = randomBytes(6 * BLOCK_BYTES + 100);

async function publishOnce(): Promise<void> {
  await using replica = await openTeamStore(url);
  for (let round = 0; ; round++) {
    bytes.writeUInt32LE(randomInt(2 ** 31), randomInt(6) * BLOCK_BYTES);
    writeFileSync(file, bytes);
    const content = sha256(bytes);
    const about = {
      project: sha256("project"),
      name: "shop",
      kind: "test",
      commit: content.slice(0, 40),
      published_at: new Date().toISOString(),
    };
    say("begin", content);
    const lease = await replica.registry.lease(`publishing-${content}`, 2_000);
    await publishFile(file, about, replica);
    say("done", content);
    await lease?.release();
    if (round % 3 === 0)
      await collectGarbage(replica, { keep: 10_000, graceMs: 120_000, now: () => new Date() });
  }
}

for (;;) {
  await publishOnce().catch(() => undefined);
  // The store is away.
  await pause(50);
}
