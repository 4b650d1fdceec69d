import { expect, test } from "vitest";
import { demotionsOf, kindsAskedFor, kindsOf, type PathKind } from "./path-kinds.ts";
import { RANK_WEIGHTS } from "./weights.ts";

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
  ["src/server/router.ts", []],
  ["integration/proxy_headers.caddyfiletest", ["data"]],
  ["bin/serve", []],
  ["shaders/blur.wgsl", []],
])("%s is of the kinds %j", (path, kinds) => {
  expect(kindsOf(path)).toEqual(kinds);
});

test("a file is demoted once as a test and once as no source, and lifted if it is asked for", () => {
  const stepsOf = (path: string, asked: readonly PathKind[] = []) =>
    demotionsOf(kindsOf(path), new Set(asked), RANK_WEIGHTS).map(({ step, factor }) => [step, factor]);
  expect(stepsOf("CHANGELOG.md")).toEqual([["docs", RANK_WEIGHTS.notSource]]);
  expect(stepsOf("examples/tests/data.json")).toEqual([
    ["test", RANK_WEIGHTS.test],
    ["example", RANK_WEIGHTS.notSource],
  ]);
  expect(stepsOf("examples/hello.rs", ["example"])).toEqual([["example", RANK_WEIGHTS.askedKind]]);
  expect(stepsOf("src/server.rs")).toEqual([]);
});

test.each([
  ["tests for the retry logic", ["test"]],
  ["how bats formats test result output", []],
  ["an example of a custom connector", ["example"]],
  ["what does the changelog say about proxies", ["changelog"]],
  ["deprecated settings", ["legacy"]],
  ["how requests are routed", []],
])("%j asks for %j", (question, kinds) => {
  expect([...kindsAskedFor(question)]).toEqual(kinds);
});
