import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fileLink, withoutCredentials } from "./git/git-links.ts";
import { isPrivateAddress, refusePrivateHost } from "./private-addresses.ts";
import { keyForGlobs } from "./s3/s3.ts";
import { readListing } from "./s3/s3-bucket.ts";

const golden = (name: string) => JSON.parse(readFileSync(`tests/contracts/golden/documents/${name}`, "utf8"));

describe("links to files in repositories", () => {
  const cases: { repo_url: string; sha: string; path: string; source_url: string }[] =
    golden("git_urls.json");
  test.each(cases)("$repo_url", ({ repo_url, sha, path, source_url }) => {
    // The first program had no web link for GitLab over https.
    const expected = repo_url.startsWith("https://gitlab.com")
      ? "https://gitlab.com/acme/platform/-/blob/abc123/guide.md"
      : source_url;
    expect(fileLink(repo_url, sha, path)).toBe(expected);
  });

  test.each([
    ["git@bitbucket.org:acme/platform.git", "https://bitbucket.org/acme/platform/src/abc/docs/a%20b.md"],
    [
      "ssh://git@gitlab.example.org:2222/group/sub/repo.git",
      "https://gitlab.example.org/group/sub/repo/-/blob/abc/docs/a%20b.md",
    ],
    [
      "https://user:secret@github.com/acme/platform",
      "https://github.com/acme/platform/blob/abc/docs/a%20b.md",
    ],
    ["https://token@git.example.org/x.git", "git://https://git.example.org/x.git/docs/a%20b.md"],
  ])("%s", (url, link) => {
    expect(fileLink(url, "abc", "docs/a b.md")).toBe(link);
  });

  test("no password or token is shown", () => {
    expect(
      ["https://u:p@h/x", "https://token@h/x", "ssh://git@h/x", "ssh://git:p@h/x", "git@h:x"].map(
        withoutCredentials,
      ),
    ).toEqual(["https://h/x", "https://h/x", "ssh://git@h/x", "ssh://h/x", "git@h:x"]);
  });
});

describe("addresses that are not the public internet", () => {
  const hostOf = (host: string) => new URL(`http://${host}/`).hostname;
  test.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:8.8.8.8]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[ff02::1]",
  ])("%s is refused", (host) => {
    expect(() => refusePrivateHost(hostOf(host))).toThrow(/private address/);
  });

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "[2606:4700::1111]", "example.org"])("%s is not", (host) => {
    expect(() => refusePrivateHost(hostOf(host))).not.toThrow();
  });

  test("an invalid address counts as private", () => {
    expect(isPrivateAddress("localhost")).toBe(true);
  });
});

describe("listings of buckets", () => {
  const cases: { relative_key: { prefix: string; key: string; glob_key: string }[] } = golden("s3.json");
  test.each(cases.relative_key)("globs see $glob_key of $key under $prefix", ({ prefix, key, glob_key }) => {
    expect(keyForGlobs(key, prefix)).toBe(glob_key);
  });

  test("entities in keys are read, and the next page is known", () => {
    const entry = (key: string) =>
      `<Contents><Key>${key}</Key><ETag>&quot;abc&quot;</ETag><Size>3</Size><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`;
    const page = (key: string) =>
      `<ListBucketResult><IsTruncated>true</IsTruncated>${entry(key)}<NextContinuationToken>n&amp;t</NextContinuationToken></ListBucketResult>`;
    const object = { etag: "abc", size: 3, lastModified: 1767323045 };
    expect(readListing(page("a&amp;&#34;b&apos;+ &#x1F600;.md"))).toEqual({
      objects: [{ key: `a&"b'+ 😀.md`, ...object }],
      next: "n&t",
    });
  });
});
