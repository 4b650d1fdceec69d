import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";

describe("packages of the same repository are internal dependencies, not external ones", () => {
  const app = 'import { a } from "@acme/ui";\nimport b from "core/deep/b.js";\nimport c from "react";\n';
  const packages = {
    "packages/ui/package.json": '{"name":"@acme/ui"}',
    "packages/core/package.json": '{"name":"core"}',
    "packages/core/deep/b.js": "",
    "packages/old/package.json": '{"name":"react"}',
    "packages/broken/package.json": "{ not json",
    "apps/web/package.json": '{"dependencies":{"@acme/ui":"workspace:*","react":"^18"}}',
    "apps/web/app.js": app,
  };
  const npm = {
    internal: ["packages/core/deep", "packages/ui"],
    external: ["react ^18"],
  };
  test.each([
    {
      workspace: "npm",
      scope: "apps/web",
      files: { ...packages, "package.json": '{"workspaces":["./packages/*/","!packages/old","[","../x"]}' },
      expected: npm,
    },
    {
      workspace: "yarn",
      scope: "apps/web",
      files: { ...packages, "package.json": '{"workspaces":{"packages":["packages/{ui,core}"]}}' },
      expected: npm,
    },
    {
      workspace: "pnpm",
      scope: "apps/web",
      files: { ...packages, "pnpm-workspace.yaml": "packages:\n  - '**'\n  - '!**/old'\n" },
      expected: npm,
    },
    {
      workspace: "npm with a pattern that would be followed for ever",
      scope: "apps/web",
      files: {
        ...packages,
        "package.json": JSON.stringify({ workspaces: ["packages/{ui,core}", `${"**/".repeat(40)}x`] }),
        [`${"y/".repeat(9)}z.js`]: "",
      },
      expected: npm,
    },
    {
      workspace: "none that can be read",
      scope: "apps/web",
      files: {
        ...packages,
        "package.json": '{"workspaces":{"packages":3}}',
        "pnpm-workspace.yaml": "packages: [",
      },
      expected: { external: ["@acme/ui workspace:*", "react ^18"] },
    },
    {
      workspace: "Cargo",
      scope: "crates/app",
      files: {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/serde"]\n',
        "crates/my-net/Cargo.toml": '[package]\nname = "my-net"\n',
        "crates/my-net/src/conn/mod.rs": "",
        "crates/util/Cargo.toml": '[package]\nname = "util"\n',
        "crates/serde/Cargo.toml": '[package]\nname = "serde"\n',
        "crates/app/Cargo.toml":
          '[package]\nname = "app"\n[dependencies]\nmy-net = { path = "../my-net" }\nserde = "1"\n',
        "crates/app/main.rs":
          "use my_net::conn::Conn;\nuse util::{a, b};\nuse serde::Serialize;\nuse app::x;\n",
      },
      expected: {
        internal: ["crates/my-net", "crates/my-net/src/conn", "crates/util"],
        external: ["serde 1"],
      },
    },
    {
      workspace: "Go",
      scope: "app",
      files: {
        "go.work": "go 1.22\n\nuse (\n\t./app\n\t./keys // ours\n)\n",
        "keys/go.mod": "module example.com/keys\n",
        "keys/deep/deep.go": "package deep\n",
        "locks/locks.go": "package locks\n",
        "app/go.mod":
          "module example.com/app\n\nrequire (\n\texample.com/locks v1.0.0\n\texample.com/far v1.0.0\n)\n\nreplace example.com/locks v1.0.0 => ../locks\nreplace example.com/far => ../../far\n",
        "app/main.go":
          'package main\n\nimport (\n\t"example.com/keys/deep"\n\t"example.com/locks"\n\t"example.com/far"\n)\n',
      },
      expected: { internal: ["keys/deep", "locks"], external: ["example.com/far v1.0.0"] },
    },
    {
      workspace: "none, but npm dependencies that are directories",
      scope: "app",
      files: {
        "lib/keys/package.json": '{"name":"keys"}',
        "app/package.json":
          '{"dependencies":{"@m/keys":"file:../lib/keys/","far":"link:../../far"},"devDependencies":{"own":"link:./own"}}',
        "app/own/x.js": "",
        "app/x.js": 'require("@m/keys");\nrequire("far");\n',
      },
      expected: { internal: ["app/own", "lib/keys"], external: ["far link:../../far"] },
    },
    {
      workspace: "none, but Cargo dependencies that are directories",
      scope: "app/src",
      files: {
        "macros/Cargo.toml": '[package]\nname = "store-macros"\n',
        "keys/Cargo.toml": '[package]\nname = "keys"\n',
        "Cargo.toml": '[workspace]\n[workspace.dependencies]\nkeys = { path = "keys" }\n',
        "app/Cargo.toml":
          '[package]\nname = "app"\n[dependencies]\nmac = { path = "../macros", package = "store-macros" }\nkeys = { workspace = true }\nfar = { path = "../../far" }\n',
        "app/src/main.rs": "use mac::store;\nuse keys::Key;\nuse far::x;\n",
      },
      expected: { internal: ["keys", "macros"] },
    },
  ])("$workspace", async ({ files, scope, expected }) => {
    expect((await draftOf(files, scope, "full")).dependencies).toEqual(expected);
  });
});
