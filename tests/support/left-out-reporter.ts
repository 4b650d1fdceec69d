import { readdirSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** After a run of the whole suite, says which tests did not run and how to run them. */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < WHOLE_SUITE) return;
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map(
        (test) => `  ${module.relativeModuleId}: ${test.fullName}`,
      ),
    );
    const long = readdirSync("tests/long").filter((file) => file.endsWith(".test.ts")).length;
    const lines = [
      `Left out: ${long} files of fault loops in tests/long (npm run check:long).`,
      ...(skipped.length > 0 ? [`Skipped here: ${skipped.length} tests`, ...skipped.sort()] : []),
    ];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}

/** Fewer files than this are a selection that somebody asked for. */
const WHOLE_SUITE = 80;
