import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";

const java = (names: readonly string[], rest = "") =>
  Object.fromEntries(names.map((name) => [`${name}.java`, `public class ${name}${rest} { }\n`]));
const within = (scope: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${scope}/${name}`, text]));

describe("without a comment about the whole, a summary says what the members are", () => {
  test.each([
    {
      by: "the last words that most types share",
      scope: "statement",
      files: java([
        "BaseStatementHandler",
        "CallableStatementHandler",
        "PreparedStatementHandler",
        "SimpleStatementHandler",
        "StatementUtil",
      ]),
      expected: "Statement handlers: callable, prepared and simple (derived).",
    },
    {
      by: "that word, under a directory of another name",
      scope: "decorators",
      files: java(["FifoCache", "LruCache", "BlockingCache", "LoggingCache", "SoftCache"]),
      expected: "Decorators: caches, such as blocking, FIFO and logging (derived).",
    },
    {
      by: "the type that most types extend",
      scope: "steps",
      files: java(["Clean", "Compile", "Publish", "Sign", "Upload"], " extends BuildTask"),
      expected: "Steps: tasks, such as clean, compile and publish (derived).",
    },
    {
      by: "the name of a directory whose files are its members",
      scope: "commands",
      files: { "build.js": "export const a = 1;", "clean.js": "", "serve.js": "", "index.js": "" },
      expected: "Commands: build, clean and serve (derived).",
    },
    {
      by: "a count, if the names share nothing",
      scope: "mixed",
      files: java(["Anchor", "Beetle", "Cloud", "Dragon"]),
      expected: "4 Java files (derived).",
    },
  ])("by $by", async ({ scope, files, expected }) => {
    expect((await draftOf(within(scope, files), scope)).summary).toBe(expected);
  });
});

test("in Rust, members implement the same trait, and the words that all their names share are the kind's", async () => {
  const dish = (name: string, kind = "struct") =>
    `pub ${kind} ${name} {}\n\nimpl Default for ${name} {}\n\nimpl kitchen::Dish<'_> for ${name} {}\n`;
  const files = within("src/soup", {
    "mod.rs": "mod hot;\n",
    "hot.rs": dish("SoupHot"),
    "cold.rs": dish("SoupCold"),
    "sweet.rs": dish("SoupSweet"),
    "any.rs": dish("AnySoup", "enum"),
  });
  expect((await draftOf(files, "src/soup")).summary).toBe("Soup dishes: cold, hot and sweet (derived).");
});

test("kinds are not what types have, not half of the types, and not repeated in the names of members", async () => {
  const had = within("store", java(["Apple", "Bread", "Cheese"], " implements IHasPrices"));
  expect((await draftOf(had, "store")).summary).toBe("3 Java files (derived).");
  const names = ["BreadManager", "CakeManager", "TeaManager", "Recipe", "Oven", "Stone"];
  expect((await draftOf(within("bakery", java(names)), "bakery")).summary).toBe("6 Java files (derived).");
  const timed = within("benchmarks", { "mix_benchmark.py": "", "bake_benchmark.py": "", "knead.py": "" });
  expect((await draftOf(timed, "benchmarks")).summary).toBe("Benchmarks: bake, knead and mix (derived).");
});

test("abstract classes count for what a directory has", async () => {
  const files = {
    ...java(["CopyWrapper", "ListWrapper", "PageWrapper"]),
    ...Object.fromEntries(
      ["Baker", "Oven", "Stone"].map((name) => [`${name}.java`, `public abstract class ${name} { }\n`]),
    ),
  };
  expect((await draftOf(within("bakery", files), "bakery")).summary).toBe("6 Java files (derived).");
});

test("at the top, the README comes before the comment of the program", async () => {
  const files = {
    "README.md": "# Bakery\n\nBakery plans what is baked when.\n",
    "main.go": "// Package main is the entry point of the program.\npackage main\n",
  };
  expect((await draftOf(files, ".")).summary).toBe("Bakery plans what is baked when.");
});

test("a Go package is described by the type that its New makes, under the name of the type", async () => {
  const go = (doc: string) => ({
    "mill/mill.go": `package mill\n\n// New makes a Wheel.\nfunc New(water int) (*Wheel, error) { return nil, nil }\n\n// ${doc}\ntype Wheel struct{}\n`,
    "mill/stone.go": "package mill\n\n// Stone grinds rye.\ntype Stone struct{}\n",
  });
  const summaryOf = async (doc: string) => (await draftOf(go(doc), "mill")).summary;
  expect(await summaryOf("Wheel turns running water into power. It is big.")).toBe(
    "`Wheel` turns running water into power (derived).",
  );
  expect(await summaryOf("Wheel, see the manual.")).toBe("2 Go files (derived).");
});

test("the help of a command describes the Go directory of its name", async () => {
  const command = (use: string, short: string) =>
    `package cmd\n\nvar ${use}Cmd = &cobra.Command{\n\tUse:   "${use} <order>",\n\tArgs:  cobra.NoArgs,\n\tShort: "${short}",\n}\n`;
  const files = {
    "cmd/refund/refund.go": command("refund", "Send the money of an order back"),
    "cmd/refund/list.go": command("list", "List what was sent back"),
    "cmd/shared/flags.go": command("other", "Do something else"),
    "cmd/shared/more.go": "package cmd\n",
  };
  expect((await draftOf(files, "cmd/refund")).summary).toBe("Send the money of an order back.");
  expect((await draftOf(files, "cmd/shared")).summary).toBe("2 Go files (derived).");
});

test("only the outermost source directory of a package is described by the package", async () => {
  const files = {
    "package.json": '{"name":"bakery","description":"Bakes bread on hot stones"}',
    "src/index.ts": "export const a = 1;\n",
    "src/lib/stone.ts": "export const b = 1;\n",
    "src/lib/wood.ts": "export const c = 1;\n",
  };
  expect((await draftOf(files, "src")).summary).toContain("Bakes bread");
  expect((await draftOf(files, "src/lib")).summary).toBe("2 TypeScript files (derived).");
});

test("many types of a kind in one of the files do not describe the directory", async () => {
  const serializers = ["Date", "Decimal", "Enum", "Model"].map((name) => `class ${name}Serializer: ...\n`);
  const files = {
    "migrations/serializer.py": serializers.join(""),
    "migrations/executor.py": "class Executor: ...\n",
    "migrations/graph.py": "class Graph: ...\n",
  };
  expect((await draftOf(files, "migrations")).summary).toBe("3 Python files (derived).");
});

test("examples in a few files do not describe the directory, and names of members stay whole", async () => {
  const models = (names: string) => names.split(" ").map((name) => `class ${name} extends Model {}\n`);
  const examples = {
    "types/Builder.php": `<?php\n${models("Car Driver Road").join("")}`,
    "types/Scope.php": `<?php\n${models("Article Author Tag").join("")}`,
  };
  expect((await draftOf(examples, "types")).summary).toBe("2 PHP files (derived).");
  const grammars = within("grammars", java(["MySqlGrammar", "PostgresGrammar", "SqlServerGrammar"]));
  expect((await draftOf(grammars, "grammars")).summary).toBe(
    "Grammars: postgres, my SQL and SQL server (derived).",
  );
});

test("two members, or members of a part of the files, are not a kind", async () => {
  const two = within("handlers", java(["AsgiHandler", "WsgiHandler", "BaseHandler"]));
  expect((await draftOf(two, "handlers")).summary).toBe("3 Java files (derived).");
  const halves = {
    "tcp/split.rs": "pub struct ReadHalf;\npub struct WriteHalf;\n",
    "tcp/owned.rs": "pub struct OwnedReadHalf;\npub struct OwnedWriteHalf;\n",
    ...{ "tcp/listener.rs": "fn a() {}\n", "tcp/socket.rs": "fn b() {}\n", "tcp/stream.rs": "fn c() {}\n" },
  };
  expect((await draftOf(halves, "tcp")).summary).toBe("5 Rust files (derived).");
});

test("a list of members that leaves out long names does not look complete", async () => {
  const files = java(["AnyRule", "HttpRule", "LocalRule", "CancellationTokenOverloadMethodRule"]);
  expect((await draftOf(within("checks", files), "checks")).summary).toBe(
    "Checks: rules, such as any, HTTP and local (derived).",
  );
});

test("a constraint of a type parameter is not what a type extends", async () => {
  const files = Object.fromEntries(
    ["Store", "Index", "Lookup"].map((name) => [
      `memory/${name}.cs`,
      `public class ${name}<TItem> where TItem : class, ISaga { }\n`,
    ]),
  );
  expect((await draftOf(files, "memory")).summary).toBe("3 C# files (derived).");
});

test.each(["models", "migrations"])("files of %s are not taken for its members", async (scope) => {
  const files = within(scope, { "executor.py": "a = 1\n", "loader.py": "b = 1\n", "state.py": "c = 1\n" });
  expect((await draftOf(files, scope)).summary).not.toContain("executor");
});

test("options, errors and aliases of types do not make a kind", async () => {
  const files = {
    "query/a.ts":
      "export interface AOptions {}\nexport type AState = string;\nexport interface BOptions {}\n",
    "query/b.ts":
      "export interface COptions {}\nexport type BState = string;\nexport type CState = string;\n",
  };
  expect((await draftOf(files, "query")).summary).toMatch(/^2 TypeScript files/);
});

test.each([
  { scope: "caddytest/integration", expected: "2 integration test files for caddy (derived)." },
  { scope: "t/unit", expected: "2 unit test files for caddy (derived)." },
  { scope: "src/UnitTests", expected: "2 unit test files for caddy (derived)." },
  { scope: "src/Shop.Core.Tests", expected: "2 test files for Shop.Core (derived)." },
  { scope: "src/orders", expected: "2 test files for src/orders (derived)." },
])("$scope is described by what it tests", async ({ scope, expected }) => {
  const tests = { [`${scope}/a_test.go`]: "package a\n", [`${scope}/b_test.go`]: "package a\n" };
  expect((await draftOf({ "go.mod": "module example.com/caddy/v2\n", ...tests }, scope)).summary).toBe(
    expected,
  );
});

test("a directory named public or docs that has code is not described by its name", async () => {
  const files = { "public/a.ts": "export const a = 1;\n", "public/b.ts": "export const b = 1;\n" };
  expect((await draftOf(files, "public")).summary).toBe("2 TypeScript files (derived).");
});

test("a README that repeats the one of the project does not describe a package", async () => {
  const readme = { "README.md": "# Nest\n\nA framework for servers.\n" };
  const files = {
    ...readme,
    "packages/core/README.md": readme["README.md"],
    "packages/core/package.json": '{"name":"core","description":"Runs the modules"}',
  };
  expect((await draftOf(files, "packages/core")).summary).toBe("Runs the modules");
});

test("a README that speaks of the whole project does not describe a part of it", async () => {
  const files = {
    "go.mod": "module example.com/bakery\n",
    "oven/README.md": "# Oven\n\nBakery (a small one) heats with wood, but gas works too.\n",
    "oven/package.json": '{"name":"oven","description":"Keeps the stones hot"}',
    "bakery/README.md": "# Bakery\n\nBakery sells bread at the door.\n",
  };
  expect((await draftOf(files, "oven")).summary).toBe("Keeps the stones hot");
  expect((await draftOf(files, "bakery")).summary).toBe("Bakery sells bread at the door.");
});

test("a README in AsciiDoc and a comment that starts with a name are read", async () => {
  const files = {
    "a/README.adoc": "= Quartz\n:toc:\n\nQuartz runs jobs at given times.\n",
    "b/__init__.py": '"""\nshop.b\n\nCollects all links of a page.\n"""\n',
    "b/x.py": "x = 1\n",
  };
  expect((await draftOf(files, "a")).summary).toBe("Quartz runs jobs at given times.");
  expect((await draftOf(files, "b")).summary).toBe("Collects all links of a page.");
});

test("the document that a Rust file includes is its comment, unless it is outside the project", async () => {
  const files = {
    "src/response/mod.rs": '#![doc = include_str!("../docs/response.md")]\n\npub struct A;\n',
    "src/docs/response.md": "# Response\n\nTurns values into answers.\n",
    "src/other/mod.rs": '#![doc = include_str!("../../../outside.md")]\n',
  };
  expect((await draftOf(files, "src/response")).summary).toBe("Turns values into answers.");
  expect((await draftOf(files, "src/other")).summary).toBe("1 Rust file (derived).");
});

test("what members extend is not one of them, and a name keeps its first word", async () => {
  const names = [
    "AbstractStore",
    "GenericDiskStore",
    "StoreInterface",
    "FileStore",
    "MemoryStore",
    "NewItemStore",
  ];
  expect((await draftOf(within("store", java(names)), "store")).summary).toBe(
    "Stores: file, memory and new item (derived).",
  );
});

test("interfaces, abstract classes, aliases and errors are not members", async () => {
  const go = {
    "parking/garage.go": "package parking\n\ntype CityGarage struct{}\n",
    "parking/tower.go": "package parking\n\ntype TowerGarage struct{}\n",
    "parking/roof.go": "package parking\n\ntype RoofGarage struct{}\n",
    "parking/all.go": "package parking\n\ntype AnyGarage interface{}\ntype OldGarage = CityGarage\n",
  };
  expect((await draftOf(go, "parking")).summary).toBe("Parking: garages (city, roof and tower) (derived).");
  const cs = {
    "parking/CityGarage.cs": "public class CityGarage { }\n",
    "parking/RoofGarage.cs": "public class RoofGarage { }\n",
    "parking/TowerGarage.cs": "public class TowerGarage { }\n",
    "parking/FloorGarage.cs": "public abstract class FloorGarage { }\n",
    "parking/FullGarage.cs": "public class FullGarage : System.Exception { }\n",
  };
  expect((await draftOf(cs, "parking")).summary).toBe("Parking: garages (city, roof and tower) (derived).");
});

test("a type that others of the directory extend is not one of the members", async () => {
  const files = {
    ...java(["StoneMill", "WaterMill", "WindMill"], " extends AnyMill"),
    ...java(["AnyMill"]),
  };
  expect((await draftOf(within("power", files), "power")).summary).toBe(
    "Power: mills (stone, water and wind) (derived).",
  );
});

test("files that declare the same types are variants, and a number is not a kind", async () => {
  const step = (names: readonly string[]) => names.map((name) => `class ${name}(Model): ...\n`).join("");
  const steps = within("lesson", {
    "a.py": step(["Basket", "Buyer"]),
    "b.py": step(["Basket", "Offer"]),
    "c.py": step(["Buyer"]),
    "d.py": step(["Basket"]),
  });
  expect((await draftOf(steps, "lesson")).summary).toBe("4 Python files (derived).");
  const versions = within("course", { "one_v12.py": "", "two_v12.py": "", "three_v12.py": "" });
  expect((await draftOf(versions, "course")).summary).toBe("3 Python files (derived).");
});

test("the comment of a type does not describe the directory of its name", async () => {
  const files = {
    "parcels/Parcel.java": "/** What one customer gets in one box. */\npublic class Parcel { }\n",
    ...within("parcels", java(["Label", "Route"])),
    "weigh/weigher.go": "package weigh\n\n// Weigher says how heavy one box is.\ntype Weigher struct{}\n",
    "weigh/scale.go": "package weigh\n\n// Scale is a machine.\ntype Scale struct{}\n",
  };
  expect((await draftOf(files, "parcels")).summary).toBe("3 Java files (derived).");
  expect((await draftOf(files, "weigh")).summary).toBe("2 Go files (derived).");
});

test("the class beside a directory of its name does not describe it, a module does", async () => {
  const beside = (kind: string) => ({
    "lib/cask.rb": `# Installs one application from its archive.\n${kind} Cask\nend\n`,
    ...within("lib/cask", { "alpha.rb": "class Alpha\nend\n", "beta.rb": "class Beta\nend\n" }),
  });
  expect((await draftOf(beside("class"), "lib/cask")).summary).toBe("2 Ruby files (derived).");
  expect((await draftOf(beside("module"), "lib/cask")).summary).toContain("Installs one application");
});

test("a README about how to do something does not describe its directory", async () => {
  const files = {
    "ovens/README.md": "# How to clean ovens\n\nEvery oven has its own brush and its own soap.\n",
  };
  expect((await draftOf(files, "ovens")).summary).not.toContain("brush");
});

test.each([
  "_We recently built new ovens._",
  "The idea is to write down what burned.",
  "Package ovens This file has the recipes for rye.",
  "uuuuuuuu u########u uuuuuuuu",
  "This directory has what is baked in the above.",
  "Shop: https://oven.example Map: https://map.example Talk: @oven",
  "Become a sponsor!",
  "All recipes were copied from an old book.",
  "Last week I found myself using less salt.",
  "This shall explain how to bake with several ovens.",
  "This contains two main chapters",
  "README for ovens v6",
  "Ovens is developed and maintained by the guild.",
  "Dependencies for the ovens",
  "Bakery Ovens Parent",
  "The oven can be cleaned with the following command",
  "This is intended to help you find your way around",
  "The ovens docs were moved to [the guild](https://guild.example)",
  "Original authors of ovens are A. Bee and C. Dee of the guild.",
  "Get in contact with the guild on Twitter: @guild",
  "Base class of all ovens.",
  "Features not supported, but planned",
  "The oven also supports coal from the north.",
  "This port contains a part of what the old ovens have.",
  "All four are heated with wood in the morning.",
  "This template should help get you started with wood.",
  "Ovens is still in active development and may change",
  "The normal execution mode of the ovens involves wood.",
  "bake.py -- bakes the bread\nsell.py -- sells it at the door",
])("a README that says %j does not describe its directory", async (said) => {
  const files = { "ovens/README.md": `# All about ovens\n\n${said}\n\nBakes bread on stones of any size.\n` };
  expect((await draftOf(files, "ovens")).summary).toBe("Bakes bread on stones of any size.");
});

test("a general statement below another heading, marks and entities do not stay in the sentence of a README", async () => {
  const readme =
    "# Rye\n\nA *small* set of loaves &amp; rolls.\n\n## What does a base do ?\n\nThis package is not for sale.\n";
  expect((await draftOf({ "rye/README.md": readme }, "rye")).summary).toBe("A small set of loaves & rolls.");
  const asked = "# Rye\n\n## What does a base do ?\n\nA base is what all other loaves need.\n";
  expect((await draftOf({ "rye/README.md": asked, "rye/a.py": "" }, "rye")).summary).toBe(
    "2 files (derived).",
  );
});

test("a sentence about something of the project is not about the project", async () => {
  const files = {
    "go.mod": "module example.com/bakery\n",
    "oven/README.md": "# Oven\n\nBakery's oven heats with wood.\n",
  };
  expect((await draftOf(files, "oven")).summary).toBe("Bakery's oven heats with wood.");
});

test("a short sentence with two links describes, a row of links does not", async () => {
  const readme =
    "# Bun\n\n[Shop](x) [Good recipes](y)\n\nA [rye](x) or [oat](y) roll, baked over coal.\n\nMore of it.\n";
  expect((await draftOf({ "bun/README.md": readme }, "bun")).summary).toBe(
    "A rye or oat roll, baked over coal.",
  );
});

test("the comment of a Go package that names another package is out of date", async () => {
  const go = (said: string) => ({
    "stone/a.go": `// Package ${said} bakes bread on hot stones.\npackage stone\n`,
    "stone/b.go": "package stone\n",
  });
  expect((await draftOf(go("stone"), "stone")).summary).toContain("bakes bread");
  expect((await draftOf(go("example.com/oven/stone"), "stone")).summary).toContain("bakes bread");
  expect((await draftOf(go("ovens"), "stone")).summary).toBe("2 Go files (derived).");
});

test("if the types have no kind, the names of their files give none", async () => {
  const files = within("mill", {
    ...java(["StoneWheelExt", "WaterWheelExt", "Stone"]),
    "WheelExt.java": "public interface WheelExt { }\n",
    "WindWheelExt.java": "public interface WindWheelExt { }\n",
  });
  expect((await draftOf(files, "mill")).summary).toBe("5 Java files (derived).");
});

test("that a package is an internal component with an unstable interface says nothing about it", async () => {
  const readme =
    "# Orders\n\nThis crate is an internal component of orders. The Rust API exposed here is unstable.\n";
  const lib = "//! Prices baskets and applies discounts.\n";
  const files = { "orders/README.md": readme, "orders/lib.rs": "pub fn a() {}\n", "orders/src/lib.rs": lib };
  expect((await draftOf(files, "orders")).summary).toBe("This crate is an internal component of orders.");
  const documented = {
    ...files,
    "orders/README.md": "This package contains two things:\n",
    "orders/lib.rs": lib,
  };
  expect((await draftOf(documented, "orders")).summary).toBe("Prices baskets and applies discounts.");
});

test("a manifest says what a package is, unless its README does", async () => {
  const files = (said: string) => ({
    "ovens/package.json": '{"name":"ovens","description":"Tools of the guild"}',
    "ovens/composer.json": '{"name":"guild/ovens","description":"Wood-fired ovens for every town"}',
    "ovens/README.md": `# Ovens\n\n${said}\n`,
  });
  const why = "A warm house implies bread in the morning and happy guests.";
  expect((await draftOf(files(why), "ovens")).summary).toBe("Wood-fired ovens for every town");
  for (const what of ["Oven S is a box of stones.", "Ovens heat stones.", "This package heats stones."]) {
    expect((await draftOf(files(what), "ovens")).summary).toBe(what);
  }
});

test("a definition comes before a sentence that only has the name in it, and a README may begin with These", async () => {
  const files = {
    "ovens/README.md":
      "# Ovens\n\nShow your love for ovens: aprons and mugs!\n\nOvens is a box of hot stones.\n",
    "hearth/go.mod": "module example.org/guild/ovens\n",
    "hearth/README.md":
      "Show your love for ovens: aprons and mugs!\n\n---\n\novens is a box of hot stones.\n",
    "tools/README.md": "# Tools\n\nThese are scripts that clean the stones.\n\nSome burnt text.\n",
  };
  expect((await draftOf(files, "ovens")).summary).toBe("Ovens is a box of hot stones.");
  expect((await draftOf(files, "hearth")).summary).toBe("ovens is a box of hot stones.");
  expect((await draftOf(files, "tools")).summary).toBe("These are scripts that clean the stones.");
});

test("without a title, what a README says of its package in a later section does not come first", async () => {
  const readme =
    "Bakes bread in stone tins.\n\n## Of the guild\n\nThis package implements parts of the guild.\n";
  expect((await draftOf({ "ovens/README.md": readme }, "ovens")).summary).toBe("Bakes bread in stone tins.");
});

test("badges of an included README, underscores and elements in code do not stay in a sentence", async () => {
  const readme =
    "# Rye\n\n[![rye](https://x.example/rye.svg)](https://x.example)\n\nA _small_ set of `<rye-loaf>` elements.\n";
  const files = { "rye/lib.rs": '#![doc = include_str!("../README.md")]\n', "README.md": readme };
  expect((await draftOf(files, "rye")).summary).toBe("A small set of `<rye-loaf>` elements.");
});

test("what begins with the kind, loads all members or is no component is not a member", async () => {
  const empty = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, ""]));
  const plugins = within("plugins", empty("plugin_fetcher.rb plugin_info.rb plugin_search.rb plugins.rb"));
  expect((await draftOf(plugins, "plugins")).summary).toBe("4 Ruby files (derived).");
  const rules = within("rules", empty("all.rb rye_rule.rb oat_rule.rb salt_rule.rb"));
  expect((await draftOf(rules, "rules")).summary).toBe("Rules: oat, rye and salt (derived).");
  const parts = within("components", empty("links.ts footer.tsx link.tsx toggle.tsx"));
  expect((await draftOf(parts, "components")).summary).toBe("Components: footer, link and toggle (derived).");
});

test("what nearly all types extend says more than the end of their names", async () => {
  const files = java(["LoadSack", "WeighSack", "SellSack"], " extends BakeryCommand");
  expect((await draftOf(within("sack", files), "sack")).summary).toBe(
    "Bakery commands: load sack, sell sack and weigh sack (derived).",
  );
  const alike = java(["BreadController", "CakeController", "RollController"], " extends ShopController");
  expect((await draftOf(within("web", alike), "web")).summary).toBe(
    "Web: shop controllers (bread, cake and roll) (derived).",
  );
});

test("a directory is named before its members, also if a member has its name inside a word", async () => {
  const files = java(["SyslogTarget", "FileTarget", "MailTarget"]);
  expect((await draftOf(within("log", files), "log")).summary).toBe(
    "Log: targets (file, mail and syslog) (derived).",
  );
});

test("a base class, an abbreviation and what mixes into classes are not a kind", async () => {
  const files = (base: string) => java(["Fetch", "Update", "Validate"], ` extends ${base}`);
  for (const base of ["RecipeBase", "Sql", "Html5", "UserControl"]) {
    expect((await draftOf(within("work", files(base)), "work")).summary).toBe("3 Java files (derived).");
  }
  const ruby = (name: string) => `module Shop\n  module ${name}Desk\n    def open; end\n  end\nend\n`;
  const mixed = within("concerns", {
    "loan_desk.rb": ruby("Loan"),
    "news_desk.rb": ruby("News"),
    "help_desk.rb": ruby("Help"),
  });
  expect((await draftOf(mixed, "concerns")).summary).toBe("3 Ruby files (derived).");
  const sheets = within("sheets", {
    "data_table.css": "a {}",
    "log_table.css": "a {}",
    "sum_table.css": "a {}",
  });
  expect((await draftOf(sheets, "sheets")).summary).toBe("3 CSS files (derived).");
});

test("a prefix that the kind repeats is named once", async () => {
  const adapters = (names: string) =>
    Object.fromEntries(
      names
        .split(" ")
        .map((name) => [
          `${name}.php`,
          `<?php\nclass Mill_Stone_Adapter_${name} extends Mill_Stone_Adapter {}\n`,
        ]),
    );
  expect((await draftOf(within("adapter", adapters("Db2 Oracle Mysqli")), "adapter")).summary).toBe(
    "Mill stone adapters: db2, mysqli and oracle (derived).",
  );
});

test("a directory below the code of its package is a part of it, whatever it is called", async () => {
  const files = {
    "package.json": '{"name":"bakery","description":"Bakes bread on hot stones"}',
    ...{ "a.ts": "", "b.ts": "", "c.ts": "", "d.ts": "" },
    ...{ "lib/stone.ts": "export const b = 1;\n", "lib/wood.ts": "export const c = 1;\n" },
    ...{ "src/stone.ts": "export const b = 1;\n", "src/wood.ts": "export const c = 1;\n" },
  };
  expect((await draftOf(files, "lib")).summary).toBe("2 TypeScript files (derived).");
  expect((await draftOf(files, "src")).summary).toContain("Bakes bread");
});

test("a title about the law does not describe, and roles leave the sentence", async () => {
  const files = {
    "ovens/README.md": "# Legal notice\n",
    "ovens/a.py": "",
    "rye/README.rst": "Rye\n===\n\nLoaves and rolls of the :mod:`mill.rye` module.\n",
  };
  expect((await draftOf(files, "ovens")).summary).toBe("2 files (derived).");
  expect((await draftOf(files, "rye")).summary).toBe("Loaves and rolls of the `mill.rye` module.");
});

test.each(["Everything related to ovens.", "A variety of hot ovens.", "`ovens` is a collection of ovens."])(
  "%j says no more than the path hot/ovens",
  async (said) => {
    const files = {
      "hot/ovens/README.md": `# Ovens\n\n${said}\n`,
      "hot/ovens/package.json": '{"description":"Bakes bread on hot stones"}',
    };
    expect((await draftOf(files, "hot/ovens")).summary).toBe("Bakes bread on hot stones");
  },
);

test("a name that would end with a preposition is no member, and footnotes leave the sentence", async () => {
  const names = [
    "GrainToGrainConverter",
    "GrainToFlourConverter",
    "GrainToBranConverter",
    "GrainToDustConverter",
  ];
  expect((await draftOf(within("grind", java(names, " implements GrainConverter")), "grind")).summary).toBe(
    "Grind: grain converters, such as to bran, to dust and to flour (derived).",
  );
  const readme = "# Rye\n\nLoaves by the rules of the guild[1] and the mill[^2].\n";
  expect((await draftOf({ "rye/README.md": readme }, "rye")).summary).toBe(
    "Loaves by the rules of the guild and the mill.",
  );
});

test("what is open or free is said after a motto", async () => {
  const readme =
    "# Ovens\n\nFor warm towns\n\n## What are ovens?\n\nOvens are open source plans for stoves.\n";
  expect((await draftOf({ "ovens/README.md": readme }, "ovens")).summary).toBe(
    "Ovens are open source plans for stoves.",
  );
});
