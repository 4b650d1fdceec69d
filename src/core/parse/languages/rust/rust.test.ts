import { expect, test } from "vitest";
import { symbolLines } from "../../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../../parse.ts";

test("items, impl blocks, traits, attributes between comment and item", async () => {
  const text = `//! The crate.
use std::io;

/// A store.
#[derive(Debug)]
pub struct Store<T> { items: Vec<T> }

impl<T: Clone> Store<T> {
    /// Adds one.
    pub fn add(&mut self, item: T) -> usize { 1 }
}
pub trait Has { fn has(&self) -> bool; }
enum Colour { Red }
const LIMIT: usize = 10;
mod inner { pub fn deep() {} }
macro_rules! twice { ($x:expr) => { $x; $x } }
`;
  expect(await symbolLines("x.rs", text)).toEqual([
    "5-6 +struct Store: pub struct Store<T> // A store.",
    "10-10 +method Store.add: pub fn add(&mut self, item: T) -> usize // Adds one.",
    "12-12 +interface Has: pub trait Has",
    "12-12 -method Has.has: fn has(&self) -> bool",
    "13-13 -enum Colour: enum Colour",
    "14-14 -const LIMIT: const LIMIT: usize = 10",
    "15-15 -function deep: pub fn deep()",
    "16-16 -macro twice: macro_rules! twice",
  ]);
  expect(await parseSource("x.rs", text)).toMatchObject({ doc: "The crate.", imports: ["std::io"] });
});

test("a comment of several lines, and an attribute above it", async () => {
  const text = "#[derive(Debug)]\n/// A point.\n/// In space.\npub struct Point;\n";
  expect(await symbolLines("x.rs", text)).toEqual([
    "1-4 +struct Point: pub struct Point // A point.\nIn space.",
  ]);
});

test("only what is plainly public all the way up is exported, and macros that say so", async () => {
  const text = `pub(crate) fn hidden() {}
mod private { pub fn a() {} pub mod within { pub fn b() {} } impl T { pub fn c() {} } }
pub(crate) mod restricted { pub struct D; }
#[cfg(test)]
/// Tests.
#[allow(dead_code)]
pub mod tests { pub fn e() {} }
#[cfg(not(test))]
pub mod open { pub fn f() {} }
#[macro_export]
macro_rules! store { () => {} }
mod macros {
    /// Lifted out.
    #[macro_export(local_inner_macros)]
    macro_rules! load { () => {} }
}
`;
  const exported = (await parseSource("x.rs", text))?.symbols.map(
    (symbol) => `${symbol.exported ? "+" : "-"}${symbol.name}`,
  );
  expect(exported).toEqual(["-hidden", "-a", "-b", "-c", "-D", "-e", "+f", "+store", "+load"]);
});

test("tests among the source are told from it, and so is what stands in a module of tests", async () => {
  const text = `pub fn open() {}
#[test]
fn opens() {}
#[tokio::test(flavor = "multi_thread")]
async fn waits() {}
#[cfg(test)]
mod checks { struct Fake; impl Fake { fn new() {} } mod deep { fn helper() {} } }
mod tests { fn plain() {} }
#[cfg(not(test))]
fn real() {}
#[test_only::skip]
fn kept() {}
mod inner { fn code() {} }
`;
  const symbols = (await parseSource("x.rs", text))?.symbols ?? [];
  expect(symbols.filter(({ isTest }) => isTest).map(({ name }) => name)).toEqual([
    "opens",
    "waits",
    "Fake",
    "new",
    "helper",
    "plain",
  ]);
});

test("what is used in public is exported by its last name", async () => {
  const text =
    "pub use a::{B, C as D, e::{self, F}};\npub use x::*;\npub(crate) use y::Z;\nuse p::Q;\npub use solo;\n";
  expect(
    (await parseSource("x.rs", text))?.exports?.map(
      ({ name, declared, from }) => `${name} = ${declared} from ${from}`,
    ),
  ).toEqual([
    "B = B from a",
    "D = C from a",
    "e = e from a",
    "F = F from a::e",
    "* = * from x",
    "solo = solo from undefined",
  ]);
});
