import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { checkAddress, hostAndPath, nameOfAddress } from "../projects/project-address.ts";
import { readWebhook } from "./webhook.ts";

const SECRET = "a secret of the team's forge";
const hmac = (body: string, secret = SECRET) => createHmac("sha256", secret).update(body).digest("hex");
const github = JSON.stringify({ repository: { clone_url: "https://github.com/shop/api.git" } });
const gitlab = JSON.stringify({ project: { git_http_url: "https://gitlab.com/shop/api.git" } });
const gitea = JSON.stringify({ repository: { clone_url: "https://gitea.example.org/shop/api.git" } });

test.each([
  ["GitHub", github, { "x-hub-signature-256": `sha256=${hmac(github)}` }, "https://github.com/shop/api.git"],
  ["GitLab", gitlab, { "x-gitlab-token": SECRET }, "https://gitlab.com/shop/api.git"],
  ["Gitea", gitea, { "x-gitea-signature": hmac(gitea) }, "https://gitea.example.org/shop/api.git"],
])("%s: a signed webhook names the repository", (_forge, body, headers, address) => {
  expect(readWebhook(new Headers(headers), Buffer.from(body), SECRET)).toEqual({ addresses: [address] });
});

test.each([
  ["no signature", github, {}],
  ["another secret", github, { "x-hub-signature-256": `sha256=${hmac(github, "guessed")}` }],
  ["another body", `${github} `, { "x-hub-signature-256": `sha256=${hmac(github)}` }],
  ["a part of the token", gitlab, { "x-gitlab-token": SECRET.slice(0, -1) }],
  ["an empty token", gitlab, { "x-gitlab-token": "" }],
  ["an empty signature", gitea, { "x-gitea-signature": "" }],
])("a webhook with %s is refused", (_case, body, headers) => {
  expect(readWebhook(new Headers(headers), Buffer.from(body), SECRET)).toBeUndefined();
});

test.each(["", "no JSON", "[]", '{"repository":7}', '{"repository":{"clone_url":["x"]}}'])(
  "a signed webhook that says nothing names no repository: %s",
  (body) => {
    const headers = new Headers({ "x-hub-signature-256": `sha256=${hmac(body)}` });
    expect(readWebhook(headers, Buffer.from(body), SECRET)).toEqual({ addresses: [] });
  },
);

test("all ways to write an address are the same repository", () => {
  const addresses = [
    "https://git.example.org/Shop/api.git",
    "https://ana@git.example.org:8443/shop/api/",
    "ssh://git@git.example.org:22/shop/api.git",
    "git@git.example.org:shop/api.git",
  ];
  expect(new Set(addresses.map(hostAndPath))).toEqual(new Set(["git.example.org/shop/api"]));
  expect(nameOfAddress("https://git.example.org/group/shop/api.git")).toBe("shop/api");
  expect(nameOfAddress("file:///srv/git/api.git")).toBe("git/api");
});

test.each([
  "ext::sh -c touch% /tmp/ran",
  "--upload-pack=touch /tmp/ran",
  "-oProxyCommand=x",
  "/srv/git/api.git",
  "https://ana:secret@git.example.org/shop/api.git",
  "https://token@git.example.org/shop/api.git",
])("not an address for a project: %s", (url) => {
  expect(() => checkAddress(url)).toThrow();
});
