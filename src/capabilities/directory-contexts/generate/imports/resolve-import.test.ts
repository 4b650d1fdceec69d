import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";

describe("configuration resolves imports to the project's own directories", () => {
  const scripts = {
    "web/src/ui/button/index.ts": "",
    "web/src/lib/keys.ts": "",
    "web/src/app/app.ts":
      'import a from "@/lib/keys.js";\nimport b from "@/ui/button/";\nimport c from "react";\nimport d from "@/none";\nimport e from "#keys";\n',
  };
  test.each([
    {
      by: "paths, among comments and spare commas",
      config: {
        "web/tsconfig.json":
          '// ours\n{ "compilerOptions": { /* "paths": {} */ "paths": { "@/*": ["./src/*"], "#keys": ["./src/lib/keys.ts",], }, }, }\n',
      },
      internal: ["web/src/lib", "web/src/ui/button"],
    },
    {
      by: "paths of what is extended",
      config: {
        "web/jsconfig.json": '{"extends":"../base"}',
        "base.json":
          '{"compilerOptions":{"baseUrl":"web","paths":{"@/*":["src/*","../../*"],"react":["node_modules/preact"]}}}',
        "web/node_modules/preact/index.js": "",
      },
      internal: ["web/src/lib", "web/src/ui/button"],
    },
    {
      by: "a base",
      config: {
        "tsconfig.json": '{"compilerOptions":{"baseUrl":"./web"}}',
        "web/@/lib/keys.ts": "",
      },
      internal: ["web/@/lib"],
    },
    {
      by: "a file that extends itself",
      config: { "tsconfig.json": '{"extends":"./tsconfig.json"}' },
      internal: undefined,
    },
    { by: "a file that cannot be read", config: { "tsconfig.json": '{"a": "/*' }, internal: undefined },
  ])("$by", async ({ config, internal }) => {
    const { dependencies } = await draftOf({ ...scripts, ...config }, "web/src/app");
    expect(dependencies?.internal).toEqual(internal);
  });

  test.each(["pyproject.toml", "setup.py", "setup.cfg"])(
    "a Python project below the root with a %s",
    async (file) => {
      const files = {
        [`backend/${file}`]: "",
        "backend/app/db/session.py": "",
        "backend/src/keys/__init__.py": "",
        "backend/app/api/__init__.py": "from app.db import session\nimport keys\nimport os\n",
      };
      const { dependencies } = await draftOf(files, "backend/app/api");
      expect(dependencies?.internal).toEqual(["backend/app/db", "backend/src/keys"]);
    },
  );
});

describe("imports of other languages resolve to the project's own directories", () => {
  test.each([
    ["C", { "net/a.c": '#include "util/keys.h"\n#include <stdio.h>\n', "util/keys.h": "" }, "net", ["util"]],
    [
      "C++ with an include directory",
      { "src/a.cc": "#include <shop/keys.h>\n", "include/shop/keys.h": "" },
      "src",
      ["include/shop"],
    ],
    [
      "Ruby",
      { "lib/shop/a.rb": 'require "shop/keys/key"\nrequire "json"\n', "lib/shop/keys/key.rb": "" },
      "lib/shop",
      ["lib/shop/keys"],
    ],
    [
      "PHP",
      { "src/App/A.php": "<?php\nuse App\\Keys\\Key;\n", "src/App/Keys/Key.php": "" },
      "src/App",
      ["src/App/Keys"],
    ],
    [
      "C#",
      { "App/A.cs": "using System;\nusing Shop.Keys;\n", "src/Shop/Keys/Key.cs": "" },
      "App",
      ["src/Shop/Keys"],
    ],
    [
      "Lua",
      { "a.lua": 'local k = require("shop.keys.key")\n', "lua/shop/keys/key.lua": "" },
      ".",
      ["lua/shop/keys"],
    ],
    [
      "Kotlin",
      { "src/shop/app/A.kt": "package shop.app\n\nimport shop.keys.Key\n", "src/shop/keys/Key.kt": "" },
      "src/shop/app",
      ["src/shop/keys"],
    ],
    [
      "PHP with a namespace for the source root",
      {
        "src/Http/A.php": "<?php\nnamespace App\\Http;\nuse App\\Keys\\Key;\nuse Psr\\Log\\Logger;\n",
        "src/Keys/Key.php": "",
      },
      "src/Http",
      ["src/Keys"],
    ],
    [
      "C# with a directory for each project",
      {
        "code/Shop.Web/Pages/A.cs":
          "using System.Text;\nusing Shop.Core.Keys;\nusing Shop.Web.Forms;\n\nnamespace Shop.Web.Pages;\n",
        "code/Shop.Core/Keys/Key.cs": "",
        "code/Shop.Web/Forms/Form.cs": "",
      },
      "code/Shop.Web/Pages",
      ["code/Shop.Core/Keys", "code/Shop.Web/Forms"],
    ],
    [
      "Kotlin without directories for the root package",
      {
        "src/main/kotlin/app/A.kt":
          "package org.shop.app\n\nimport org.shop.keys.Key\nimport org.shop.no.such.Key\nimport org.json.JSONObject\n",
        "src/main/kotlin/keys/Key.kt": "",
      },
      "src/main/kotlin/app",
      ["src/main/kotlin/keys"],
    ],
    [
      "Ruby, relative to the file",
      { "app/models/a.rb": 'require_relative "../keys/key"\n', "app/keys/key.rb": "" },
      "app/models",
      ["app/keys"],
    ],
    [
      "Vue",
      { "web/A.vue": '<script>\nimport k from "./keys/key.js";\n</script>\n', "web/keys/key.js": "" },
      "web",
      ["web/keys"],
    ],
  ] as const)("%s", async (_language, files, scope, internal) => {
    expect((await draftOf(files, scope)).dependencies?.internal).toEqual(internal);
  });
});
