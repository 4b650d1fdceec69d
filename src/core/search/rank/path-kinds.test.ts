import { expect, test } from "vitest";
import { kindsAskedFor, kindsOf } from "./path-kinds.ts";

test.each([
  ["tests/test_client.py", ["test"]],
  ["pkg/server_test.go", ["test"]],
  ["src/store.test.ts", ["test"]],
  ["src/main/java/CacheIT.java", ["test"]],
  ["spec/models/user_spec.rb", ["test"]],
  ["test/ui/error.stderr", ["test"]],
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
  ["src/server/router.ts", []],
])("%s is of the kinds %j", (path, kinds) => {
  expect(kindsOf(path)).toEqual(kinds);
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
