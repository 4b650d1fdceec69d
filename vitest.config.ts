import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["tests/long/**", "node_modules/**"],
    // Half of most tests is waiting for git, disks and processes: use both cores, and a little more.
    maxWorkers: 3,
    setupFiles: ["tests/support/property-seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  },
});
