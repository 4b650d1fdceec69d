// How often the secret rules are wrong: `npm run check:secrets -- REPOSITORY...`. Prints every alarm in the given
// repositories, for a person to judge, and the recall on the made-up secrets of the tests. Fails if the recall is below
// .97, or if there is more than one alarm in 10,000 lines, with every alarm taken for a false one.
import { basename, join } from "node:path";
import { findSecrets } from "../src/core/hygiene/index.ts";
import { readText } from "../src/core/scan/read-text.ts";
import { scanProject } from "../src/core/scan/scan.ts";
import { MISSED_BEFORE, REAL_SECRETS, SURROUNDINGS } from "../tests/support/made-up-secrets.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

const made = [...REAL_SECRETS, ...MISSED_BEFORE].flatMap(([kind, text]) =>
  SURROUNDINGS.map((around) => ({ kind, text: around(text) })),
);
const missed = made.filter(({ text }) => findSecrets(text).length === 0);
for (const { kind, text } of missed) print(`missed: ${kind}: ${text}`);
print(`recall: ${made.length - missed.length} of ${made.length}`);

let allLines = 0;
let allAlarms = 0;
for (const root of process.argv.slice(2)) {
  let lines = 0;
  let alarms = 0;
  for (const { path } of await scanProject(root)) {
    const read = readText(join(root, path));
    if ("skipped" in read) continue;
    const rows = read.text.split("\n");
    lines += rows.length;
    for (const { kind, line } of findSecrets(read.text)) {
      alarms += 1;
      print(`${basename(root)}/${path}:${line} ${kind}: ${(rows[line - 1] ?? "").trim().slice(0, 160)}`);
    }
  }
  print(`${basename(root)}: ${lines} lines, ${alarms} alarms`);
  allLines += lines;
  allAlarms += alarms;
}
const isWithinLimits = missed.length / made.length <= 0.03 && allAlarms <= allLines / 10_000;
print(`all: ${allLines} lines, ${allAlarms} alarms; ${isWithinLimits ? "within" : "beyond"} the limits`);
if (!isWithinLimits) process.exitCode = 1;
