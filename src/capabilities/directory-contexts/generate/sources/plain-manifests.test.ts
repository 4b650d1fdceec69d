import { expect, test } from "vitest";
import { readManifests } from "./manifests.ts";

const DESCRIPTION = "Sells things, one at a time";

test.each([
  {
    file: "setup.py",
    text: `import os\nlong_description = "no"\nsetup(\n    name="shop",\n    long_description=read("x"),\n    description=("Sells things, "\n                 'one at a time'),\n)\n`,
    name: "shop",
  },
  {
    file: "setup.cfg",
    text: `[options]\nname = other\n[metadata]\nname = shop\nlong_description = file: README.rst\ndescription = ${DESCRIPTION}\n\n[tool]\ndescription = no\n`,
    name: "shop",
  },
  {
    file: "shop.gemspec",
    text: `Gem::Specification.new do |s|\n  s.summary = "${DESCRIPTION}"\nend\n`,
    name: "shop",
  },
  {
    file: "Shop.csproj",
    text: `<Project><PropertyGroup><Description>${DESCRIPTION}</Description></PropertyGroup></Project>`,
    name: "Shop",
  },
  {
    file: "mix.exs",
    text: `def project do\n  [app: :shop, description: "${DESCRIPTION}"]\nend\n`,
    name: "shop",
  },
  {
    file: "mix.exs",
    text: `[app: :shop, description: description()]\ndefp description do\n  """\n  Sells things,\n  one at a time\n  """\nend\n`,
    name: "shop",
  },
  { file: "shop.cabal", text: `name:          shop\nsynopsis:      ${DESCRIPTION}\n`, name: "shop" },
  { file: "build.gradle.kts", text: `plugins { }\ndescription = "${DESCRIPTION}"\n`, name: "" },
  { file: "shop.gradle", text: `description '${DESCRIPTION}'\n`, name: "" },
])("$file says what the package is for", ({ file, text, name }) => {
  expect(readManifests(new Map([[file, text]]))).toMatchObject([{ name, description: DESCRIPTION }]);
});

test.each([
  { file: "setup.py", text: 'setup(name=NAME, description=meta["doc"], long_description="A long text")\n' },
  { file: "setup.cfg", text: "[metadata]\nname = attr: shop.NAME\ndescription = file: README.md\n" },
  { file: "mix.exs", text: "[app: :shop, description: @text]\n" },
  { file: "build.gradle", text: 'description = "The $name of it"\ntasks { description = "Runs it" }\n' },
])("a computed description of $file is not read", ({ file, text }) => {
  expect(readManifests(new Map([[file, text]]))).toMatchObject([{ description: "" }]);
});

test("hostile manifests are read in linear time", () => {
  const files = ["setup.py", "setup.cfg", "mix.exs", "a.cabal", "build.gradle"];
  const text = `${'description = ("a" '.repeat(20_000)}\n${"[metadata]\n".repeat(20_000)}${"description do ".repeat(20_000)}`;
  expect(readManifests(new Map(files.map((file) => [file, text])))).toHaveLength(files.length);
});
