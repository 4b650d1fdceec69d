import { expect, test } from "vitest";
import { symbolLines } from "../../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../../parse.ts";

test("docstrings, decorators, methods, constants, and what stands under a condition", async () => {
  const text = `"""The module."""
import os
from a.b import c

LIMIT = 10
_hidden: int = 2

@cache
def find(name: str, *, deep=False) -> list:
    """Finds things.

    Slowly.
    """
    return []

class Store(Base):
    """Keeps."""
    size = 1

    @property
    async def items(self): return []

if True:
    def late(): pass
`;
  expect(await symbolLines("x.py", text)).toEqual([
    "5-5 +const LIMIT: LIMIT = 10",
    "6-6 -var _hidden: _hidden: int = 2",
    "8-14 +function find: def find(name: str, *, deep=False) -> list // Finds things.\n\nSlowly.",
    "16-21 +class Store: class Store(Base) // Keeps.",
    "20-21 +method Store.items: async def items(self)",
    "24-24 +function late: def late()",
  ]);
  expect(await parseSource("x.py", text)).toMatchObject({ doc: "The module.", imports: ["os", "a.b"] });
});

test("a sign of a comment within a string is part of the head, comments are not, each name is a symbol", async () => {
  const text = `def paint(
    colour="#fff",  # white
    width=1,
):  # paints
    pass

# Explained above.
def both():
    """And inside."""

a, (B, *c) = 1, (2, 3)  # three
`;
  expect(await symbolLines("x.py", text)).toEqual([
    '1-5 +function paint: def paint(colour="#fff", width=1)',
    "8-9 +function both: def both() // And inside.\n\nExplained above.",
    "11-11 +var a: a, (B, *c) = 1, (2, 3) // three",
    "11-11 +const B: a, (B, *c) = 1, (2, 3) // three",
    "11-11 +var c: a, (B, *c) = 1, (2, 3) // three",
  ]);
});

test("a module passes on what it takes from its package, or only what it lists", async () => {
  const text = "from os import path\nfrom . import sub\nfrom .x import a, b as c, _d\nfrom ..y import *\n";
  const passedOn = async (more: string) =>
    (await parseSource("__init__.py", text + more))?.exports?.map(
      ({ name, declared, from }) => `${name} = ${declared} from ${from}`,
    );
  expect(await passedOn("")).toEqual(["a = a from .x", "c = b from .x", "* = * from ..y"]);
  expect(await passedOn("__all__ = ['c', 'own', '_d']\n__all__ += [\"far\"]\ndef own(): ...\n")).toEqual([
    "c = b from .x",
    "_d = _d from .x",
    "far = far from undefined",
  ]);
});

test("only what a module lists is exported, unless the list cannot be read", async () => {
  const text = `def one(): ...
def _two(): ...
def three(): ...
class Four:
    def method(self): ...
LIMIT = 1
`;
  const exported = async (all: string) =>
    (await parseSource("x.py", text + all))?.symbols.flatMap(({ name, exported }) =>
      exported ? [name] : [],
    );
  const everything = ["one", "three", "Four", "method", "LIMIT"];
  expect(await exported("__all__ = []")).toEqual(everything);
  expect(await exported("__all__: list[str] = ['one', '_two'] # both")).toEqual(["one", "_two", "method"]);
  expect(
    await exported(
      "__all__ = sub.__all__ + (\n  # more\n  'one',)\nif X:\n    __all__ += ['LIMIT']\n__all__.extend(['three', *sub.__all__])\n__all__.append('Four')",
    ),
  ).toEqual(everything);
  expect(await exported("__all__ = 'one', 'three'")).toEqual(["one", "three", "method"]);
  expect(await exported("__all__ = ['one']\n__all__ += [n for n in dir() if n != 'x']")).toEqual(everything);
});
