import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DocumentsProject, documentsProject } from "./documents-project.ts";
import { commandWorld, filesWorld, gitWorld, s3World, type World, webWorld } from "./documents-worlds.ts";

/** What every connector owes, whatever it reads from. */
function connectorSuite(name: string, makeWorld: () => Promise<World>): void {
  describe(name, () => {
    let world: World;
    let project: DocumentsProject;
    const ids = (...names: string[]) => names.map((each) => world.sourceId(each)).sort();
    beforeAll(async () => {
      world = await makeWorld();
      project = documentsProject(
        { connectors: world.connectors, embedding: { provider: "disabled" } },
        { env: world.env },
      );
      await world.put({
        "alpha.md": "# Alpha\n\nThe heron stands in shallow water.",
        "deep/beta.md": "# Beta\n\nA kingfisher dives from the branch.",
        "gamma + more.md": "Gulls follow the plough.",
        "drafts/secret.md": "The heron of the draft.",
      });
    });
    afterAll(async () => {
      await project[Symbol.asyncDispose]();
      await world.end();
    });
    const report = async (input: object = {}) => {
      const [only] = await project.sync(input);
      const { found, written, unchanged, removed, status, complete } = only ?? {};
      return { found, written, unchanged, removed, status, complete };
    };

    test("it is reachable and was never synced", async () => {
      expect(await project.call("context.sources")).toEqual({
        sources: [
          {
            name: world.label,
            configured: true,
            healthy: true,
            notes: expect.stringMatching(/; never synced$/),
          },
        ],
      });
    });

    test("a dry run tells what there is and writes nothing", async () => {
      expect(await report({ dry_run: true })).toMatchObject({ found: 3, written: 3, complete: false });
      expect(await project.found("heron")).toEqual([]);
    });

    test("a run with a limit brings some and does not count as complete", async () => {
      expect(await report({ limit: 1 })).toEqual({
        found: 3,
        written: 1,
        unchanged: 0,
        removed: 0,
        status: "ok",
        complete: false,
      });
    });

    test("the next run brings the rest", async () => {
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

    test("a document carries its source, its tags and its text", async () => {
      const [hit] = await project.search("kingfisher", {
        filters: { tags: ["handbook"], source: world.label },
      });
      expect(await project.get(hit?.id ?? "")).toMatchObject({
        source: world.label,
        source_id: world.sourceId("deep/beta.md"),
        body: "# Beta\n\nA kingfisher dives from the branch.",
        metadata: { tags: ["handbook"] },
        chunks: [{ index: 0, text: "# Beta\n\nA kingfisher dives from the branch." }],
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
    });

    test("where nothing changed nothing is written, also when everything is read again", async () => {
      const same = { found: 3, written: 0, unchanged: 3, removed: 0, status: "ok", complete: true };
      expect([await report(), await report({ full: true })]).toEqual([same, same]);
    });

    test("a change replaces the document under the same id", async () => {
      const [before] = await project.search("heron");
      await world.put({ "alpha.md": "# Alpha\n\nThe bittern hides in the reeds." });
      expect(await report()).toMatchObject({ written: 1, unchanged: 2 });
      const [after] = await project.search("bittern");
      expect([await project.found("heron"), after?.id]).toEqual([[], before?.id]);
    });

    test("what was renamed leaves under its old name, and what was deleted leaves", async () => {
      await world.remove("deep/beta.md");
      await world.remove("gamma + more.md");
      await world.put({ "deep/renamed.md": "# Beta\n\nA kingfisher dives from the branch." });
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

    test("changed settings are taken up without a full run", async () => {
      const [type = "", name = ""] = world.label.split(":");
      const section = { ...world.connectors[type]?.[name], tags: ["manual"] };
      project.configure({
        connectors: { [type]: { [name]: section } },
        embedding: { provider: "disabled" },
      });
      const both = { found: 2, written: 2, unchanged: 0, removed: 0, status: "ok", complete: true };
      expect([await report(), await report()]).toEqual([both, { ...both, written: 0, unchanged: 2 }]);
      const manual = { filters: { tags: ["manual"] } };
      expect(await project.found("kingfisher", manual)).toEqual(ids("deep/renamed.md"));
    });

    test("when it breaks down its documents stay, and what is wrong is told", async () => {
      await world.breakDown();
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

connectorSuite("files", filesWorld);
connectorSuite("git", gitWorld);
connectorSuite("web", webWorld);
connectorSuite("s3", s3World);
connectorSuite("command", commandWorld);
