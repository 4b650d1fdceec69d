import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const { name, version } = z.object({ name: z.string(), version: z.string() }).parse(read("package.json"));

test("every manifest names the package and its version", () => {
  const server = z.looseObject({
    version: z.string(),
    description: z.string().max(100),
    packages: z.array(z.unknown()),
  });
  expect(server.parse(read("server.json"))).toMatchObject({
    version,
    packages: [{ registryType: "npm", identifier: name, version, transport: { type: "stdio" } }],
  });
  expect(read(".claude-plugin/plugin.json")).toMatchObject({
    name,
    version,
    mcpServers: { [name]: { command: "npx" } },
  });
  expect(read(".claude-plugin/marketplace.json")).toMatchObject({ plugins: [{ name, source: "./" }] });
  expect(read("mcpb/manifest.json")).toMatchObject({ name, version, server: { entry_point: "dist/bin.js" } });
});
