import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DocumentsProject, documentsProject } from "./documents-project.ts";
import {
  commandSource,
  filesSource,
  gitSource,
  s3Source,
  type TestSource,
  webSource,
} from "./documents-sources.ts";

/** What every connector must do. */
function connectorSuite(name: string, openSource: () => Promise<TestSource>): void {
  describe(name, () => {
    let source: TestSource;
    let project: DocumentsProject;
    const ids = (...names: string[]) => names.map((each) => source.sourceId(each)).sort();
    beforeAll(async () => {
      source = await openSource();
      project = documentsProject(
        { connectors: source.connectors, embedding: { provider: "disabled" } },
        { env: source.env },
      );
      await source.put({
        "alpha.md": "# Alpha\n\nThe heron stands in shallow water.",
        "deep/beta.md": "# Beta\n\nA kingfisher dives from the branch.",
        "gamma + more.md": "Gulls follow the plough.",
        "drafts/secret.md": "The heron of the draft.",
      });
    });
    afterAll(async () => {
      await project[Symbol.asyncDispose]();
      await source.end();
    });
    const report = async (input: object = {}) => {
      const [only] = await project.sync(input);
      const { found, written, unchanged, removed, status, complete } = only ?? {};
      return { found, written, unchanged, removed, status, complete };
    };

    test("it is reachable and not synced yet", async () => {
      expect(await project.call("context.sources")).toEqual({
        sources: [
          {
            name: source.label,
            configured: true,
            healthy: true,
            notes: expect.stringMatching(/; never synced$/),
          },
        ],
      });
    });

    test("a dry run reports what there is and writes nothing", async () => {
      expect(await report({ dry_run: true })).toMatchObject({ found: 3, written: 3, complete: false });
      expect(await project.found("heron")).toEqual([]);
    });

    test("a run with a limit reads some items and is not complete", async () => {
      expect(await report({ limit: 1 })).toEqual({
        found: 3,
        written: 1,
        unchanged: 0,
        removed: 0,
        status: "ok",
        complete: false,
      });
    });

    test("the next run reads the rest", async () => {
      expect(await report()).toEqual({
        found: 3,
        written: 2,
        unchanged: 1,
        removed: 0,
        status: "ok",
        complete: true,
      });
      expect(await Promise.all(["heron", "kingfisher", "plough"].map((word) => project.found(word)))).toEqual(
        [ids("alpha.md"), ids("deep/beta.md"), ids("gamma + more.md")],
      );
    });

    test("a document has its source, tags and text", async () => {
      const [hit] = await project.search("kingfisher", {
        filters: { tags: ["handbook"], source: source.label },
      });
      expect(await project.get(hit?.id ?? "")).toMatchObject({
        source: source.label,
        source_id: source.sourceId("deep/beta.md"),
        body: "# Beta\n\nA kingfisher dives from the branch.",
        metadata: { tags: ["handbook"] },
        chunks: [{ index: 0, text: "# Beta\n\nA kingfisher dives from the branch." }],
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
    });

    test("if nothing changed, nothing is written, even when everything is read again", async () => {
      const same = { found: 3, written: 0, unchanged: 3, removed: 0, status: "ok", complete: true };
      expect([await report(), await report({ full: true })]).toEqual([same, same]);
    });

    test("a change replaces the document under the same id", async () => {
      const [before] = await project.search("heron");
      await source.put({ "alpha.md": "# Alpha\n\nThe bittern hides in the reeds." });
      expect(await report()).toMatchObject({ written: 1, unchanged: 2 });
      const [after] = await project.search("bittern");
      expect([await project.found("heron"), after?.id]).toEqual([[], before?.id]);
    });

    test("renamed and deleted items are removed under their old names", async () => {
      await source.remove("deep/beta.md");
      await source.remove("gamma + more.md");
      await source.put({ "deep/renamed.md": "# Beta\n\nA kingfisher dives from the branch." });
      expect(await report()).toMatchObject({
        found: 2,
        written: 1,
        unchanged: 1,
        removed: 2,
        complete: true,
      });
      expect([await project.found("kingfisher"), await project.found("plough")]).toEqual([
        ids("deep/renamed.md"),
        [],
      ]);
    });

    test("changed settings apply without a full run", async () => {
      const [type = "", name = ""] = source.label.split(":");
      const section = { ...source.connectors[type]?.[name], tags: ["manual"] };
      project.configure({
        connectors: { [type]: { [name]: section } },
        embedding: { provider: "disabled" },
      });
      const both = { found: 2, written: 2, unchanged: 0, removed: 0, status: "ok", complete: true };
      expect([await report(), await report()]).toEqual([both, { ...both, written: 0, unchanged: 2 }]);
      const manual = { filters: { tags: ["manual"] } };
      expect(await project.found("kingfisher", manual)).toEqual(ids("deep/renamed.md"));
    });

    test("if the source fails, its documents stay and the problem is reported", async () => {
      await source.breakDown();
      const [run] = await project.sync();
      expect([run?.status === "ok", run?.removed, run?.problems[0]?.reason]).toEqual([
        false,
        0,
        expect.stringMatching(/./),
      ]);
      expect(await project.found("kingfisher")).toEqual(ids("deep/renamed.md"));
      const { sources } = (await project.call("context.sources")) as { sources: { notes: string }[] };
      expect(sources[0]?.notes).toMatch(/./);
    });
  });
}

connectorSuite("files", filesSource);
connectorSuite("git", gitSource);
connectorSuite("web", webSource);
connectorSuite("s3", s3Source);
connectorSuite("command", commandSource);
