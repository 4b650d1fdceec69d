import { defineConfig } from "vitest/config";
import { LeftOutReporter } from "./tests/support/left-out-reporter.ts";
import { processTests } from "./tests/support/process-tests.ts";

const NOT_HERE = ["tests/long/**", "tests/browser/**", "node_modules/**"];
const processes = processTests();
const limits = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

export default defineConfig({
  test: {
    // Most tests wait for git, disks and processes half of the time: one worker more than two cores.
    maxWorkers: 3,
    reporters: ["default", new LeftOutReporter()],
    setupFiles: ["tests/support/property-seed.ts"],
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    projects: [
      {
        extends: true,
        test: {
          name: "in-process",
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: [...NOT_HERE, ...processes],
          ...limits(120_000),
        },
      },
      {
        // A test here may start ten processes. The limit finds a hang and must hold on a machine with a load of 20.
        extends: true,
        test: { name: "processes", include: processes, exclude: NOT_HERE, ...limits(300_000) },
      },
    ],
  },
});
