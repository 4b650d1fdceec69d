import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseKey, normaliseSkillName, slugOf } from "./keys.ts";

describe("keys of knowledge and conventions", () => {
  test.each([
    ["Tech Stack", "tech-stack"],
    ["../../etc/passwd", "etc-passwd"],
    ["../../.git/config", "git-config"],
    ["v1.2", "v1-2"],
    ["a/b", "a-b"],
    ["café", "café"],
    ["cafe\u0301", "café"],
    ["日本語", "日本語"],
    ["İstanbul", "i-stanbul"],
    ["-._-", "_"],
  ])("%j becomes %j", (requested, key) => {
    expect(normaliseKey(requested)).toBe(key);
  });

  test.each([
    "",
    "--",
    " ",
    "💥",
    "CON",
    "nul",
    "lpt1",
    "__proto__",
    "constructor",
    "a".repeat(101),
    "語".repeat(70),
  ])("%j is refused", (requested) => {
    expect(() => normaliseKey(requested)).toThrow();
  });

  test("a key is a safe file name and stays what it is when it is normalised again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (requested) => {
        let key = "";
        try {
          key = normaliseKey(requested);
        } catch {
          return;
        }
        expect(key).toMatch(/^[\p{L}\p{N}_-]+$/u);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(200);
        expect(normaliseKey(key)).toBe(key);
      }),
    );
  });
});

test.each([
  ["Deploy Staging", "deploy-staging"],
  ["Café_au lait", "cafe-au-lait"],
  ["a--b", "a-b"],
])("the skill %j is called %j", (requested, name) => {
  expect(normaliseSkillName(requested)).toBe(name);
});

test("any title gives a slug that fits into a file name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
      const slug = slugOf(title);
      expect(slug).toMatch(/^[\p{L}\p{N}_-]+$/u);
      expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(160);
    }),
  );
});
