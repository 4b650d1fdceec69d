import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { hasBetterModel } from "../support/better-model.ts";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Vectors are written 256 at a time: enough for three writes. */
const FUNCTIONS = 700;
/** As long as the model reads, so that it is at work for some seconds. */
const REMARK = "It keeps the order of what came before and of what comes after. ".repeat(14);
const Status = z.object({
  result: z.object({
    structuredContent: z.object({
      statistics: z.object({ total_chunks: z.number() }),
      health: z.object({
        embedding_model: z.string().optional(),
        embedding_coverage: z.array(z.object({ model: z.string(), embedded: z.number() })),
      }),
    }),
  }),
});

function writeProject(root: string): void {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "go.mod"), "module example.org/many\n\ngo 1.22\n");
  for (let at = 0; at < FUNCTIONS; at++) {
    const text = `package many\n\n// Handle${at} answers requests of kind ${at}. ${REMARK}\nfunc Handle${at}(x int) int {\n\treturn x + ${at}\n}\n`;
    writeFileSync(join(root, `file${at}.go`), text);
  }
}

test.skipIf(!hasBetterModel)(
  "a server embeds a project it was asked about with the better model; one that was killed or left is followed by the next",
  async () => {
    using directory = tempDir();
    const root = join(directory.path, "project");
    const elsewhere = join(directory.path, "elsewhere");
    const env = { CONTEXTFUL_HOME: join(directory.path, "home") };
    const binary = await builtBinary();
    writeProject(root);
    mkdirSync(elsewhere);
    execFileSync(process.execPath, [binary, "code", "index", root], {
      env: { ...process.env, ...env },
      stdio: "ignore",
    });

    const serve = async (cwd: string) => {
      const client = startClient(binary, { cwd, env, args: ["mcp"] });
      await client.initialize();
      const embedded = async () => {
        const answer = await client.callTool("get_status", { path: root });
        const { statistics, health } = Status.parse(answer).result.structuredContent;
        const better = health.embedding_coverage.find(({ model }) => model === "minilm")?.embedded ?? 0;
        return { better, total: statistics.total_chunks, model: health.embedding_model };
      };
      const until = async (isEnough: (better: number, total: number) => boolean) => {
        for (;;) {
          const now = await embedded();
          if (isEnough(now.better, now.total)) return now;
          await pause(100);
        }
      };
      return { client, until };
    };

    const first = await serve(elsewhere);
    const { better: before } = await first.until((better) => better > 0);
    first.client.child.kill("SIGKILL");
    await first.client.exit;
    const left = await serve(elsewhere);
    const { better: meanwhile } = await left.until((better) => better > before);
    expect([await left.client.end(), left.client.stderr()]).toEqual([0, ""]);
    const second = await serve(root);
    const { better: kept } = await second.until(() => true);
    expect(kept).toBeGreaterThanOrEqual(meanwhile);
    expect(await second.until((better, total) => better === total)).toMatchObject({ model: "minilm" });
    const found = await second.client.callTool("search_code", { path: root, query: "answers requests" });
    expect(found.result).toMatchObject({ structuredContent: { statistics: { model: "minilm" } } });
    expect(await second.client.end()).toBe(0);
  },
);
