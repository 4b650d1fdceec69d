// Everything that must hold before a change lands: npm run check.
import { spawnSync } from "node:child_process";
import { repository } from "./toolbox.mjs";

const STEPS = [
  ["lint and format", "npx", ["biome", "check", "--error-on-warnings", "."]],
  ["types", "npm", ["run", "--silent", "types"]],
  ["tests", "npx", ["vitest", "run"]],
  ["build", "npx", ["tsdown", "--log-level", "error"]],
  ["packed tarball", process.execPath, ["scripts/smoke.mjs"]],
];

for (const [name, program, args] of STEPS) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(program, args, { cwd: repository, stdio: "inherit" });
  if (status !== 0) {
    console.error(`\nFAILED: ${name}`);
    process.exit(1);
  }
}
console.log("\nAll checks passed.");
