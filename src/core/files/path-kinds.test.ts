import { expect, test } from "vitest";
import { isTestDataName, isTestFile, isTestName, kindsOf } from "./path-kinds.ts";

test.each([
  ["tests/test_client.py", ["test"]],
  ["pkg/server_test.go", ["test"]],
  ["src/store.test.ts", ["test"]],
  ["src/main/java/CacheIT.java", ["test"]],
  ["spec/models/user_spec.rb", ["test"]],
  ["test/ui/error.stderr", ["test"]],
  ["regress/pane-split.sh", ["test"]],
  ["crates/integration-tests/src/lib.rs", ["test"]],
  ["tools/selftests/net.c", ["test"]],
  ["t/parse.t", ["test"]],
  ["integration/redirect-test.ts", ["test"]],
  ["storage/merge_test.h", ["test"]],
  ["Shop.Core.Tests/Basket.cs", ["test"]],
  ["UnitTests/Basket.swift", ["test"]],
  ["Api/TestData/orders.csv", ["test", "data"]],
  ["src/contests/round.py", []],
  ["src/snapshots/manager.rs", []],
  ["src/contest/round.py", []],
  ["lib/bats-core/test_functions.bash", []],
  ["src/testing.py", []],
  ["src/latest.ts", []],
  ["examples/hello.rs", ["example"]],
  ["benches/codec.rs", ["bench"]],
  ["docs/guide.md", ["docs"]],
  ["CHANGELOG.md", ["docs", "changelog"]],
  ["src/history.py", []],
  ["config/locales/de.yml", ["data", "translation"]],
  ["templates/controller.rb.tt", ["template"]],
  ["src/_compat/typing.py", ["legacy"]],
  ["pkg/__init__.py", ["reExport"]],
  ["types/index.d.ts", ["declaration"]],
  ["api/service.pb.go", ["generated"]],
  ["runtime/autogen/metal.py", ["generated"]],
  ["deps/jemalloc/src/arena.c", ["vendored"]],
  ["src/third_party/zlib/inflate.c", ["vendored"]],
  ["src/resolver/deps/graph.rs", []],
  ["src/server/router.ts", []],
  ["integration/proxy_headers.caddyfiletest", ["data"]],
  ["bin/serve", []],
  ["shaders/blur.wgsl", []],
])("%s is of the kinds %j", (path, kinds) => {
  expect(kindsOf(path)).toEqual(kinds);
});

test.each([
  ["tests", true],
  ["shop-tests", true],
  ["regress", true],
  ["contests", false],
  ["testdata", false],
  ["tests/unit", false],
])("%s is a directory of tests: %s", (name, expected) => {
  expect(isTestName(name)).toBe(expected);
});

test.each([
  ["testdata", true],
  ["TestData", true],
  ["__testfixtures__", true],
  ["snapshots", false],
  ["tests", false],
])("%s holds the data of tests: %s", (name, expected) => {
  expect(isTestDataName(name)).toBe(expected);
});

test("a file is a test by its own name, not by its directory", () => {
  expect(["tests/helper.py", "relay_test.go", "pkg/test_relay.py"].filter(isTestFile)).toEqual([
    "relay_test.go",
    "pkg/test_relay.py",
  ]);
});
