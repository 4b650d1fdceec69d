import SwaggerParser from "@apidevtools/swagger-parser";
import { expect, test } from "vitest";
import { z } from "zod";
import { openApp } from "../../src/app.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { testMachine } from "../support/machine.ts";

const Operation = z.object({ responses: z.record(z.string(), z.unknown()) });
const OpenApi = z.looseObject({
  servers: z.array(z.unknown()),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.object({ get: Operation.optional(), post: Operation.optional() })),
  security: z.unknown().optional(),
});
const TOKEN = "a token of some length";

async function document(token?: string) {
  const served = httpApp(openApp(testMachine("/nowhere")), {
    version: "1.2.3",
    host: "127.0.0.1",
    token,
    mcp: async () => new Response(),
  });
  const headers = { Host: "localhost:7331", ...(token && { Authorization: `Bearer ${token}` }) };
  return (await served.request("http://localhost:7331/openapi.json", { headers })).text();
}
const parsed = async (token?: string) => OpenApi.parse(JSON.parse(await document(token)));

test("an OpenAPI validator accepts the document of all tools", async () => {
  await SwaggerParser.validate(JSON.parse(await document()));
  expect(Object.keys((await parsed()).paths).length).toBeGreaterThan(30);
});

test("every reference names a component: to a part, or to a schema that contains itself", async () => {
  const refs = [...(await document()).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = ""]) => ref);
  expect(refs.length).toBeGreaterThan(0);
  expect(refs.filter((ref) => !/^#\/components\/schemas\/\w+$/.test(ref))).toEqual([]);
});

test("the document names the server, the rooms and every status a call may answer", async () => {
  const { servers, tags, paths, security } = await parsed();
  expect(servers).toMatchObject([{ url: "http://localhost:7331" }]);
  expect(tags.map(({ name }) => name)).toEqual([
    "directory-contexts",
    "context-caches",
    "team-memory",
    "documents",
    "code-index",
    "packs",
  ]);
  expect(Object.keys(paths["/tools/search"]?.post?.responses ?? {})).toEqual([
    "200",
    "400",
    "403",
    "404",
    "405",
    "409",
    "413",
    "415",
    "500",
    "503",
  ]);
  expect(security).toBeUndefined();
});

test("with a token the document says so, and lists 401", async () => {
  const { paths, security } = await parsed(TOKEN);
  expect([security, "401" in (paths["/tools/search"]?.post?.responses ?? {})]).toEqual([
    [{ token: [] }],
    true,
  ]);
});
