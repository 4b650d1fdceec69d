import { defineConfig } from "vitest/config";

/** Fault loops and large trees: `npm run check:long`. */
export default defineConfig({
  test: {
    include: ["tests/long/**/*.test.ts"],
    // Finds a hang, also on a machine with a load of 20.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Most of the time they wait for processes that they start or kill.
    maxWorkers: 3,
    globalSetup: ["tests/support/dist.ts"],
    setupFiles: ["tests/support/property-seed.ts"],
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  },
});
