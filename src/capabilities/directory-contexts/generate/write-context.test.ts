import fc from "fast-check";
import { expect, test } from "vitest";
import { parseContext } from "../read/read-context.ts";
import type { DirectoryContext } from "../schema.ts";
import { printContext, updateContext } from "./write-context.ts";

const MINIMAL: DirectoryContext = {
  version: 1,
  last_updated: "2026-01-02T03:04:05.000Z",
  fingerprint: "a3f8b2c1",
  scope: "src",
  summary: "Source.",
  maintenance: "Keep it true.",
};
const text = () => fc.string({ unit: "grapheme", maxLength: 40 });
const list = () => fc.array(text(), { maxLength: 4 });
const required = ["version", "last_updated", "fingerprint", "scope", "summary", "maintenance"] as const;
const context = () =>
  fc.record(
    {
      version: fc.constant(1 as const),
      last_updated: text(),
      fingerprint: fc.oneof(
        fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 8, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 8, maxLength: 8 }),
        fc.tuple(fc.nat(9999), fc.nat(999)).map(([mantissa, exponent]) => `${mantissa}e${exponent}`),
      ),
      scope: text(),
      summary: fc.oneof(text(), fc.lorem({ maxCount: 60 })),
      files: fc.array(fc.record({ name: text(), purpose: text() }), { maxLength: 3 }),
      maintenance: text(),
      constraints: list(),
      dependencies: fc.record({ internal: list(), external: list() }, { requiredKeys: [] }),
      exports: list(),
      derived_fields: list(),
    },
    { requiredKeys: [...required] },
  );
const read = (yaml: string) => {
  const reading = parseContext(yaml);
  return reading.kind === "read" ? reading.context : reading;
};

test("what is written reads back equal", () => {
  fc.assert(
    fc.property(context(), (made) => {
      expect(read(printContext(made))).toEqual(made);
    }),
    { numRuns: 100 },
  );
});

test("an update reads back as the old context with the changes", () => {
  fc.assert(
    fc.property(context(), context(), (before, after) => {
      const changes = { ...after, todos: ["one"], exports: undefined };
      const { exports: _, ...kept } = { ...before, ...after };
      expect(read(updateContext(printContext(before), changes))).toEqual({ ...kept, todos: ["one"] });
    }),
    { numRuns: 100 },
  );
});

test.each(["12345678", "1234e567", "0x123456", "1e5", "00000000", "0o777777", "~", "true"])(
  "the fingerprint %s stays a string",
  (fingerprint) => {
    expect(read(printContext({ ...MINIMAL, fingerprint }))).toEqual({ ...MINIMAL, fingerprint });
  },
);

const HAND_WRITTEN = `# Read this first.
summary: >
  A long text that someone
  folded by hand.

version: 1
scope: 'src'   # where we are
fingerprint: a3f8b2c1 # set by a program
last_updated: 2026-01-02

# Why things are as they are:
decisions:
    - {what: a, why: b}
dependencies:
  # from the importers
  internal: [src/db]
  external:
    - pyjwt ^2.8 # pinned
maintenance: "Keep it true."
# The end.
`;

test("an update changes the lines of what changes and leaves every other byte", () => {
  const updated = updateContext(HAND_WRITTEN, { fingerprint: "12345678", exports: ["f()"] });
  expect(updated).toBe(
    `${HAND_WRITTEN.replace("fingerprint: a3f8b2c1 #", 'fingerprint: "12345678" #')}exports:\n  - f()\n`,
  );
});

test("a nested list changes without its neighbour losing its comment", () => {
  const updated = updateContext(HAND_WRITTEN, {
    dependencies: { internal: ["src/api"], external: ["pyjwt ^2.8"] },
  });
  expect(updated).toContain("- pyjwt ^2.8 # pinned");
  expect(read(updated)).toMatchObject({ dependencies: { internal: ["src/api"], external: ["pyjwt ^2.8"] } });
});

test("a removed field takes its lines and leaves the comment of the next one", () => {
  const updated = updateContext(HAND_WRITTEN, { decisions: undefined });
  expect(updated).toBe(HAND_WRITTEN.replace("decisions:\n    - {what: a, why: b}\n", ""));
});

test("a context in flow style is updated too", () => {
  const flow = `${JSON.stringify(MINIMAL)}\n`;
  expect(read(updateContext(flow, { fingerprint: "12345678" }))).toEqual({
    ...MINIMAL,
    fingerprint: "12345678",
  });
});

test("nothing to change leaves the text alone", () => {
  expect(updateContext(HAND_WRITTEN, { fingerprint: "a3f8b2c1" })).toBe(HAND_WRITTEN);
});

test("Windows line ends survive, in new lines too", () => {
  const changes = { fingerprint: "ffffffff", exports: ["f()"] };
  const windows = HAND_WRITTEN.replaceAll("\n", "\r\n");
  expect(updateContext(windows, changes)).toBe(updateContext(HAND_WRITTEN, changes).replaceAll("\n", "\r\n"));
});

test("what changes may carry the anchor of what stays", () => {
  const anchored = printContext(MINIMAL).replace("summary: ", "summary: &s ").concat("constraints: [*s]\n");
  expect(read(updateContext(anchored, { summary: "Other." }))).toEqual({
    ...MINIMAL,
    summary: "Other.",
    constraints: [MINIMAL.summary],
  });
  expect(updateContext(anchored, { fingerprint: "ffffffff" })).toContain("constraints: [*s]\n");
});
