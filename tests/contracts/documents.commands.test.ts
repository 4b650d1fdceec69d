import { describe, expect, test } from "vitest";
import { documentsProject, reasons } from "./documents-project.ts";

describe("commands", () => {
  const config = (script: string, more: object = {}) => ({
    connectors: { command: { items: { command: [process.execPath, "-e", script], ...more } } },
    embedding: { provider: "disabled" },
  });
  const env = { PATH: process.env["PATH"] ?? "" };

  test("every field of an item is kept", async () => {
    const item = {
      source_id: "42",
      body: "The heron.",
      title: "Ticket",
      author: "Ada",
      source_url: "https://tickets.example/42",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: 1771597800,
      content_type: "text/markdown",
      metadata: { state: "open" },
      tags: "one, two",
    };
    await using project = documentsProject(config(`console.log(${JSON.stringify(JSON.stringify(item))})`), {
      env,
    });
    await project.sync();
    const [hit] = await project.search("heron", { filters: { tags: ["two", "one"], since: "2026-02-20" } });
    const { tags: _, ...rest } = item;
    expect(await project.get(hit?.id ?? "")).toMatchObject({
      ...rest,
      updated_at: "2026-02-20T14:30:00Z",
      metadata: { state: "open", tags: ["one", "two"] },
    });
  });

  test.each([
    [
      "bad lines",
      `console.log('{"source_id":"a","body":"heron"}\\nnot json\\n{"source_id":"b"}')`,
      {},
      /line 3 is not an item: body: /,
    ],
    [
      "a failing end",
      `console.log('{"source_id":"a","body":"heron"}'); console.error("no access"); process.exitCode = 3`,
      {},
      /ended with 3: no access/,
    ],
    [
      "no end",
      "",
      // A shell prints long before the time limit, even on a busy machine.
      { timeout_secs: 2, command: ["sh", "-c", `echo '{"source_id":"a","body":"heron"}'; sleep 1000`] },
      /stopped after 2 s/,
    ],
    [
      "an end that leaves others to hold its output",
      "",
      { timeout_secs: 2, command: ["sh", "-c", `echo '{"source_id":"a","body":"heron"}'; sleep 1000 &`] },
      /stopped after 2 s/,
    ],
    [
      "a line without end",
      "",
      {
        command: [
          "sh",
          "-c",
          `echo '{"source_id":"a","body":"heron"}'; while :; do head -c 9999999 /dev/zero; done`,
        ],
      },
      /printed more than \d+ bytes/,
    ],
  ])(
    "%s: received items are kept, nothing is deleted, and the problem is reported",
    async (_name, script, more, said) => {
      await using project = documentsProject(config(`console.log('{"source_id":"old","body":"heron"}')`), {
        env,
      });
      await project.sync();
      project.configure(config(script, more));
      const [report] = await project.sync();
      expect([report?.status, report?.complete, await project.found("heron"), reasons(report)[""]]).toEqual([
        "partial",
        false,
        ["a", "old"],
        expect.stringMatching(said),
      ]);
    },
  );

  test("an unreadable item does not affect the others", async () => {
    const script = `const deep = "[".repeat(100_000) + "]".repeat(100_000);
      console.log('{"source_id":"a","body":"heron"}');
      console.log('{"source_id":"b","body":"heron","metadata":{"deep":' + deep + '}}');
      console.log('{"source_id":"c","body":"heron"}');`;
    await using project = documentsProject(config(script), { env });
    const [report] = await project.sync();
    expect([report?.status, report?.failed, reasons(report), await project.found("heron")]).toEqual([
      "partial",
      1,
      { b: expect.stringMatching(/^failed: /) },
      ["a", "c"],
    ]);
  });

  test("a missing program is reported", async () => {
    await using project = documentsProject(
      { connectors: { command: { items: { command: ["no-such-program"] } } } },
      { env },
    );
    const [report] = await project.sync();
    expect(reasons(report)).toEqual({ "": "command:items: program not found: no-such-program" });
  });
});
