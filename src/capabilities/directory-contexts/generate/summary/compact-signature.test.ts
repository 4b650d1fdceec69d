import { describe, expect, test } from "vitest";
import { compactSignature } from "./compact-signature.ts";

describe("a signature is shown whole, with its name and without values", () => {
  test.each([
    {
      kind: "const",
      signature: "export const a: Record<string, () => void> = { b() {} }",
      expected: "const a: Record<string, () => void>",
    },
    { kind: "const", signature: 'const a: "x=y" | `=b` = c', expected: 'const a: "x=y" | `=b`' },
    { kind: "const", signature: "const a = b <= c", expected: "const a" },
    {
      kind: "const",
      signature: "pub const a: &'static [(&'a str, u8)] = &[]",
      expected: "const a: &'static [(&'a str, u8)]",
    },
    { kind: "const", signature: "const { a, b = 1 } = c", expected: "const a" },
    {
      kind: "function",
      signature: "const a: (x: number) => void = ()",
      expected: "const a: (x: number) => void",
    },
    {
      kind: "function",
      signature: "const a: <T, P extends string = keyof T>(x: T) => P = (x)",
      expected: "const a: <T, P extends string = keyof T>(x: T) => P",
    },
    { kind: "function", signature: "const a = <T = string>(x: T): T", expected: "a<T = string>(x: T): T" },
    { kind: "function", signature: "function a (x)", expected: "a(x)" },
    { kind: "function", signature: "export default function $a(x)", expected: "$a(x)" },
    { kind: "function", signature: "pub const fn a() -> u8", expected: "a() -> u8" },
    { kind: "function", signature: 'pub async unsafe extern "C" fn a(x: u8)', expected: "a(x: u8)" },
    { kind: "class", signature: "var a = class extends B", expected: "class a extends B" },
    { kind: "class", signature: "var a = class", expected: "class a" },
    { kind: "class", signature: "exports.a = class extends B", expected: "class a extends B" },
    {
      kind: "class",
      signature: "export default abstract class extends B",
      expected: "abstract class a extends B",
    },
    { kind: "class", signature: "class a<T> extends B", expected: "class a<T> extends B" },
    { kind: "function", signature: 'def a(x, password="hunter2", y=1)', expected: "a(x, password=…, y=1)" },
    {
      kind: "function",
      signature: "def a(url: str = 'http://u:p@h') -> str",
      expected: "a(url: str = …) -> str",
    },
    {
      kind: "function",
      signature: 'function a({ b = "x" } = {}, c = { d: ["x"], e: 1 })',
      expected: "a({ b = … } = {}, c = …)",
    },
    {
      kind: "function",
      signature: 'function a(b: "x" | "y", c = (d) => d)',
      expected: 'a(b: "x" | "y", c = (d) => d)',
    },
    { kind: "function", signature: 'def a(b="never closed', expected: "a(b=…" },
    {
      kind: "function",
      signature: "pub fn a<'a>(x: &'a str) -> impl Iterator<Item = &'a T> + 'a",
      expected: "a<'a>(x: &'a str) -> impl Iterator<Item = &'a T> + 'a",
    },
  ])("$signature", ({ kind, signature, expected }) => {
    expect(compactSignature({ name: signature.includes("$a") ? "$a" : "a", kind, signature })).toBe(expected);
  });
});
