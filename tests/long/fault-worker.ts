import { writeFileAtomic } from "../../src/core/files/atomic-write.ts";
import { acquireLock } from "../../src/core/lock/lock.ts";
import { openStore } from "../../src/core/store/store.ts";

/** One process of the fault tests: does its job until it is killed, and says on stdout what is done for good. */
const [job, path = "", detail = ""] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const tables = ["CREATE TABLE entry (writer TEXT, round INTEGER, half INTEGER)"];
const later = Array.from(
  { length: 20 },
  (_, index) => `CREATE TABLE t${index} (x); INSERT INTO entry VALUES ('m', ${index}, 0)`,
);

async function write(): Promise<void> {
  const store = await openStore({ file: path, migrations: tables });
  const insert = store.prepare("INSERT INTO entry VALUES (?, ?, ?)");
  for (let round = 0; ; round++) {
    store.transaction(() => {
      insert.run(detail, round, 1);
      insert.run(detail, round, 2);
    });
    say(String(round));
    if (round % 16 === 0) await new Promise(setImmediate);
  }
}

async function fill(): Promise<void> {
  const store = await openStore({ file: path, migrations: tables });
  let failure: unknown;
  try {
    for (let round = 0; round < 5000; round++) {
      store.transaction(
        () => void store.prepare("INSERT INTO entry VALUES (?, ?, 0)").run("x".repeat(2000), round),
      );
    }
  } catch (thrown) {
    failure = thrown;
  }
  const code = failure instanceof Error && "code" in failure ? failure.code : "none";
  const row = store.prepare("SELECT count(*) > 0 AS readable FROM entry").get();
  say(JSON.stringify({ code, row }));
}

async function hold(): Promise<void> {
  await acquireLock({ directory: path, name: "index", purpose: detail, waitMs: 60_000 });
  say("held");
  setInterval(() => {}, 1000);
}

const JOBS: Readonly<Record<string, () => Promise<unknown>>> = {
  write,
  fill,
  hold,
  migrate: () => openStore({ file: path, migrations: [...tables, ...later] }),
  atomic: () => writeFileAtomic(path, detail.repeat(100_000)),
};
try {
  await JOBS[job ?? ""]?.();
} catch (thrown) {
  say(`failed ${thrown instanceof Error && "code" in thrown ? thrown.code : thrown}`);
}
