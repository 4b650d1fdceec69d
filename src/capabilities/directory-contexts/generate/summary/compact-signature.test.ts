import { describe, expect, test } from "vitest";
import { compactSignature } from "./compact-signature.ts";

describe("a signature is shown whole, with its name and without values", () => {
  test.each([
    {
      kind: "const",
      signature: "export const a: Record<string, () => void> = { b() {} }",
      told: "const a: Record<string, () => void>",
    },
    { kind: "const", signature: 'const a: "x=y" | `=b` = c', told: 'const a: "x=y" | `=b`' },
    { kind: "const", signature: "const a = b <= c", told: "const a" },
    {
      kind: "const",
      signature: "pub const a: &'static [(&'a str, u8)] = &[]",
      told: "const a: &'static [(&'a str, u8)]",
    },
    { kind: "const", signature: "const { a, b = 1 } = c", told: "const a" },
    {
      kind: "function",
      signature: "const a: (x: number) => void = ()",
      told: "const a: (x: number) => void",
    },
    {
      kind: "function",
      signature: "const a: <T, P extends string = keyof T>(x: T) => P = (x)",
      told: "const a: <T, P extends string = keyof T>(x: T) => P",
    },
    { kind: "function", signature: "const a = <T = string>(x: T): T", told: "a<T = string>(x: T): T" },
    { kind: "function", signature: "function a (x)", told: "a(x)" },
    { kind: "function", signature: "export default function $a(x)", told: "$a(x)" },
    { kind: "function", signature: "pub const fn a() -> u8", told: "a() -> u8" },
    { kind: "function", signature: 'pub async unsafe extern "C" fn a(x: u8)', told: "a(x: u8)" },
    { kind: "class", signature: "var a = class extends B", told: "class a extends B" },
    { kind: "class", signature: "var a = class", told: "class a" },
    { kind: "class", signature: "exports.a = class extends B", told: "class a extends B" },
    {
      kind: "class",
      signature: "export default abstract class extends B",
      told: "abstract class a extends B",
    },
    { kind: "class", signature: "class a<T> extends B", told: "class a<T> extends B" },
    { kind: "function", signature: 'def a(x, password="hunter2", y=1)', told: "a(x, password=…, y=1)" },
    {
      kind: "function",
      signature: "def a(url: str = 'http://u:p@h') -> str",
      told: "a(url: str = …) -> str",
    },
    {
      kind: "function",
      signature: 'function a({ b = "x" } = {}, c = { d: ["x"], e: 1 })',
      told: "a({ b = … } = {}, c = …)",
    },
    {
      kind: "function",
      signature: 'function a(b: "x" | "y", c = (d) => d)',
      told: 'a(b: "x" | "y", c = (d) => d)',
    },
    { kind: "function", signature: 'def a(b="never closed', told: "a(b=…" },
    {
      kind: "function",
      signature: "pub fn a<'a>(x: &'a str) -> impl Iterator<Item = &'a T> + 'a",
      told: "a<'a>(x: &'a str) -> impl Iterator<Item = &'a T> + 'a",
    },
  ])("$signature", ({ kind, signature, told }) => {
    expect(compactSignature({ name: signature.includes("$a") ? "$a" : "a", kind, signature })).toBe(told);
  });
});
