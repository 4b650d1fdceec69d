import { readdirSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Fewer files than this are a selection that somebody asked for. */
const WHOLE_SUITE = 80;

/** After a run of the whole suite, says which tests did not run and how to run them. */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < WHOLE_SUITE) return;
    const testsIn = (folder: string) =>
      readdirSync(folder).filter((file) => file.endsWith(".test.ts")).length;
    const skipped = modules
      .map(({ relativeModuleId, children }) => ({
        file: relativeModuleId,
        count: [...children.allTests("skipped")].length,
      }))
      .filter(({ count }) => count > 0);
    const lines = [
      `Left out: ${testsIn("tests/long")} files of fault loops in tests/long (npm run check:long).`,
      `Left out: ${testsIn("tests/browser")} files of tests in Chromium in tests/browser (npm run check:browser).`,
      ...skipped.map(({ file, count }) => `Skipped on this machine: ${count} in ${file}`).sort(),
    ];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}
