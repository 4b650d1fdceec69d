import { expect, test } from "vitest";
import { fileRoleOf, isAboutTests } from "./file-role.ts";

test.each([
  ["src/flask/cli.py", "source"],
  ["pkg/contest/latest.go", "source"],
  ["src/attestation/spec.go", "source"],
  ["tests/test_cli.py", "test"],
  ["send/send_test.go", "test"],
  ["web/timeline.test.tsx", "test"],
  ["src/test/java/org/x/StringUtilsTest.java", "test"],
  ["spec/models/user_spec.rb", "test"],
  ["axum-macros/tests/path/fail/multiple_paths.stderr", "accessory"],
  ["tests/fixtures/a.json", "accessory"],
  ["Cargo.lock", "accessory"],
  ["web/package-lock.json", "accessory"],
  ["locales/de.json", "accessory"],
  ["History.md", "accessory"],
  ["CHANGES.rst", "accessory"],
  ["api/users.pb.go", "accessory"],
  ["packages/bench/ipv4-regex.ts", "accessory"],
  ["benches/parse.rs", "accessory"],
  ["examples/vhost/index.js", "accessory"],
])("the role of %s is %s", (path, role) => {
  expect(fileRoleOf(path)).toBe(role);
});

test.each([
  ["add a --json flag to the routes command", false],
  ["fix the flaky test of the scheduler", true],
  ["the latest contest", false],
  ["add a PDF renderer and tests", false],
  ["add a flag with unit tests", false],
  ["refuse an empty address when a message is sent to the relay, and say so in a test", false],
])("whether a task is about tests: %s", (task, expected) => {
  expect(isAboutTests(task)).toBe(expected);
});
