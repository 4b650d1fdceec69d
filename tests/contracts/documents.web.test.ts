import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { documentsProject, reasons } from "./documents-project.ts";
import { openSite } from "./documents-worlds.ts";

describe("web", () => {
  const config = (section: object) => ({
    connectors: { web: { site: { delay_ms: 0, allow_private_addresses: true, ...section } } },
    embedding: { provider: "disabled" },
  });

  test("pages are read as text, and asked for again only if they changed", async () => {
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

  test("robots.txt is kept; one that fails allows nothing", async () => {
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

  test("sitemap indexes and gzipped sitemaps are read, other sites' pages are not", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    site.state.extra.set("/index.xml", () => [
      200,
      {},
      `<sitemapindex><sitemap><loc>${site.origin}/map.xml.gz</loc></sitemap><sitemap><loc>http://198.51.100.1/s.xml</loc></sitemap></sitemapindex>`,
    ]);
    const map = `<urlset><url><loc>${site.origin}/a</loc></url><url><loc>http://198.51.100.1/b</loc></url></urlset>`;
    site.state.extra.set("/map.xml.gz", () => [200, {}, gzipSync(map)]);
    await using project = documentsProject(config({ sitemap: `${site.origin}/index.xml` }));
    const [report] = await project.sync();
    expect([report?.status, report?.found]).toEqual(["ok", 1]);
    await site.close();
  });

  test("private addresses are refused by default: as numbers, by name, and after a redirect", async () => {
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

  test("a page that is too large, of another kind, or in a loop is reported", async () => {
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
    });
    await site.close();
  });

  test("a page that answers 404 leaves, one that fails for now stays", async () => {
    const site = await openSite();
    site.put("/a", "heron");
    site.put("/b", "stork");
    await using project = documentsProject(config({ pages: [`${site.origin}/a`, `${site.origin}/b`] }));
    await project.sync();
    site.remove("/a");
    site.state.extra.set("/b", () => [503, {}, ""]);
    const [report] = await project.sync();
    expect([
      report?.removed,
      report?.complete,
      await project.found("heron"),
      await project.found("stork"),
    ]).toEqual([1, false, [], [`${site.origin}/b`]]);
    await site.close();
  });
});
