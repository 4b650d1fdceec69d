import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testCall } from "../support/machine.ts";
import { documentsProject, reasons } from "./documents-project.ts";
import { openSite } from "./documents-sources.ts";

describe("web", () => {
  const config = (section: object) => ({
    connectors: { web: { site: { delay_ms: 0, allow_private_addresses: true, ...section } } },
    embedding: { provider: "disabled" },
  });

  test("pages are read as text, and fetched again only if they changed", async () => {
    const site = await openSite();
    site.put("/guide", "<title>Guide</title><main><h1>Guide</h1><p>The heron.</p></main><nav>Home</nav>");
    await using project = documentsProject(config({ pages: [`${site.origin}/guide#part`] }));
    await project.sync();
    await project.sync();
    const [hit] = await project.search("heron");
    expect(await project.get(hit?.id ?? "")).toMatchObject({
      title: "Guide",
      body: "# Guide\n\nThe heron.",
      content_type: "text/html",
      source_id: `${site.origin}/guide`,
      source_url: `${site.origin}/guide`,
    });
    expect(site.asked.filter(({ path }) => path === "/guide")).toEqual([
      { path: "/guide", status: 200, conditional: false },
      { path: "/guide", status: 304, conditional: true },
    ]);
    await site.close();
  });

  test("robots.txt is obeyed; if it fails, nothing is allowed", async () => {
    const site = await openSite();
    site.state.robots = "User-agent: *\nDisallow: /private\n";
    site.put("/open", "heron");
    site.put("/private", "heron");
    await using project = documentsProject(config({ sitemap: `${site.origin}/sitemap.xml` }));
    const [report] = await project.sync();
    expect([await project.found("heron"), reasons(report)]).toEqual([
      [`${site.origin}/open`],
      { [`${site.origin}/private`]: "robots.txt does not allow it" },
    ]);
    expect(site.asked.some(({ path }) => path === "/private")).toBe(false);
    site.state.extra.set("/robots.txt", () => [503, {}, ""]);
    site.put("/open", "stork");
    const [again] = await project.sync();
    expect([again?.complete, await project.found("heron")]).toEqual([false, [`${site.origin}/open`]]);
    await site.close();
  });

  test("robots.txt of another site is checked after a redirect", async () => {
    const [site, other] = [await openSite(), await openSite()];
    other.state.robots = "User-agent: *\nDisallow: /private\n";
    other.put("/private", "heron");
    site.state.extra.set("/moved", () => [302, { location: `${other.origin}/private` }, ""]);
    await using project = documentsProject(config({ pages: [`${site.origin}/moved`] }));
    const [report] = await project.sync();
    expect([report?.skipped, reasons(report), other.asked.map(({ path }) => path)]).toEqual([
      1,
      { [`${site.origin}/moved`]: "robots.txt does not allow it" },
      ["/robots.txt"],
    ]);
    await site.close();
    await other.close();
  });

  test("a response that is not a sitemap removes nothing", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    await using project = documentsProject(config({ sitemap: `${site.origin}/sitemap.xml` }));
    await project.sync();
    site.state.extra.set("/sitemap.xml", () => [200, {}, "<html><body>Back soon</body></html>"]);
    const [report] = await project.sync();
    expect([report?.status, reasons(report)[""], await project.found("heron")]).toEqual([
      "failed",
      expect.stringMatching(/is not a sitemap$/),
      [`${site.origin}/a`],
    ]);
    await site.close();
  });

  test("a moved sitemap counts for its new site", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    site.state.extra.set("/old.xml", () => [301, { location: `${site.origin}/sitemap.xml` }, ""]);
    const sitemap = `http://localhost:${new URL(site.origin).port}/old.xml`;
    await using project = documentsProject(config({ sitemap }));
    const [report] = await project.sync();
    expect([report?.status, report?.found]).toEqual(["ok", 1]);
    await site.close();
  });

  test("more pages than max_pages are reported, and none counts as deleted", async () => {
    const site = await openSite();
    for (const path of ["/a", "/b", "/c"]) site.put(path, "heron");
    const sitemap = `${site.origin}/sitemap.xml`;
    await using project = documentsProject(config({ sitemap }));
    await project.sync();
    project.configure(config({ sitemap, max_pages: 2 }));
    const [report] = await project.sync();
    expect([report?.status, report?.removed, reasons(report)[""]]).toEqual([
      "partial",
      0,
      "3 pages, of which max_pages = 2 are read",
    ]);
    await site.close();
  });

  test("runs with a limit make progress each time", async () => {
    const site = await openSite();
    for (const path of ["/a", "/b", "/c"]) site.put(path, "heron");
    await using project = documentsProject(config({ sitemap: `${site.origin}/sitemap.xml` }));
    for (const _ of [1, 2, 3]) await project.sync({ limit: 1 });
    expect(await project.found("heron")).toHaveLength(3);
    await site.close();
  });

  test("pages read before an abort are kept", async () => {
    const site = await openSite();
    const controller = new AbortController();
    site.put("/a", "heron");
    site.state.extra.set("/b", () => {
      controller.abort();
      return [200, {}, "stork"];
    });
    await using project = documentsProject(config({ pages: [`${site.origin}/a`, `${site.origin}/b`] }));
    const call = testCall({ signal: controller.signal });
    await expect(project.call("documents_sync", {}, call)).rejects.toThrow();
    expect(await project.found("heron")).toEqual([`${site.origin}/a`]);
    await site.close();
  });

  test("an encoding that only the server names is used", async () => {
    const site = await openSite();
    const type = "text/html; charset=iso-8859-1";
    site.state.extra.set("/a", () => [
      200,
      { "content-type": type },
      Buffer.from("caf\u00e9 heron", "latin1"),
    ]);
    await using project = documentsProject(config({ pages: [`${site.origin}/a`] }));
    await project.sync();
    expect(await project.found("caf\u00e9")).toEqual([`${site.origin}/a`]);
    await site.close();
  });

  test("sitemap indexes and gzipped sitemaps are read; pages of other sites are reported, not read", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    site.put("/b", "stork");
    const listed = (paths: readonly string[]) =>
      `<urlset>${[...paths.map((path) => site.origin + path), "http://198.51.100.1/b"].map((page) => `<url><loc>${page}</loc></url>`)}</urlset>`;
    site.state.extra.set("/index.xml", () => [
      200,
      {},
      `<sitemapindex><sitemap><loc>${site.origin}/map.xml.gz</loc></sitemap><sitemap><loc>http://198.51.100.1/s.xml</loc></sitemap></sitemapindex>`,
    ]);
    site.state.extra.set("/map.xml.gz", () => [200, {}, gzipSync(listed(["/a", "/b"]))]);
    await using project = documentsProject(config({ sitemap: `${site.origin}/index.xml` }));
    const [report] = await project.sync();
    expect([report?.status, report?.complete, report?.found, report?.problems]).toEqual([
      "ok",
      true,
      2,
      ["index.xml", "map.xml.gz"].map((name) => ({
        kind: "skipped",
        source_id: null,
        reason: `sitemap ${site.origin}/${name}: 1 entry is not of ${site.origin}`,
      })),
    ]);
    site.state.extra.set("/map.xml.gz", () => [200, {}, gzipSync(listed(["/a"]))]);
    const [fewer] = await project.sync();
    site.state.extra.set("/map.xml.gz", () => [200, {}, gzipSync(listed([]))]);
    const [none] = await project.sync();
    expect([fewer?.removed, none?.status, none?.removed, await project.found("heron")]).toEqual([
      1,
      "failed",
      0,
      [`${site.origin}/a`],
    ]);
    await site.close();
  });

  test("private addresses are refused by default: numeric, by name, and after a redirect", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    const port = new URL(site.origin).port;
    const pages = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `2130706433:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      "169.254.169.254",
    ];
    await using project = documentsProject(
      config({ pages: pages.map((host) => `http://${host}/a`), allow_private_addresses: false }),
    );
    const [report] = await project.sync();
    expect([
      report?.written,
      Object.values(reasons(report)).every((reason) => /private address/.test(reason)),
    ]).toEqual([0, true]);
    expect(site.asked).toEqual([]);
    await site.close();
  });

  test("a page that is too large, of another type, or in a redirect loop is reported", async () => {
    const site = await openSite();
    site.put("/large", "x".repeat(5_000));
    site.put("/image", "heron", "image/png");
    site.state.extra.set("/loop", () => [302, { location: "/loop" }, ""]);
    site.state.extra.set("/file", () => [302, { location: "file:///etc/passwd" }, ""]);
    site.state.extra.set("/broken", () => [500, {}, "no"]);
    const pages = ["large", "image", "loop", "file", "broken", "gone"].map(
      (name) => `${site.origin}/${name}`,
    );
    await using project = documentsProject(config({ pages, max_bytes: 4_000 }));
    const [report] = await project.sync();
    const told = Object.fromEntries(
      Object.entries(reasons(report)).map(([id, why]) => [id.replace(site.origin, ""), why]),
    );
    expect(told).toEqual({
      "/large": "larger than 4000 bytes",
      "/image": "not a document: image/png",
      "/loop": expect.stringMatching(/more than 5 redirects/),
      "/file": expect.stringMatching(/only http and https/),
      "/broken": "answers 500",
      "/gone": "answers 404",
    });
    await site.close();
  });

  test("a page with 404 is removed; a page that fails stays", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    site.put("/b", "stork");
    site.put("/c", "stork");
    const pages = ["/a", "/b", "/c"].map((path) => site.origin + path);
    await using project = documentsProject(config({ pages }));
    await project.sync();
    site.remove("/a");
    site.state.extra.set("/b", () => [503, {}, ""]);
    site.state.extra.set("/c", () => [200, { "content-encoding": "gzip" }, "broken"]);
    const [report] = await project.sync();
    expect([
      report?.removed,
      report?.complete,
      await project.found("heron"),
      await project.found("stork"),
    ]).toEqual([1, false, [], pages.slice(1)]);
    await site.close();
  });
});
