import { defineConfig } from "vitest/config";

/** The page in Debian's Chromium: `npm run check:browser`. */
export default defineConfig({
  test: {
    include: ["tests/browser/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  },
});
