import { expect, test } from "vitest";
import { isSource } from "./source-files.ts";

test("source is known in languages with and without symbols, by name, extension or interpreter", () => {
  const source = [
    "a.go",
    "lib/x.rb",
    "a.f90",
    "x.ML",
    "CMakeLists.txt",
    "Makefile",
    "Dockerfile",
    "a.vhdl",
    "b.nix",
  ];
  expect(source.filter((path) => !isSource(path))).toEqual([]);
  expect(isSource("bin/run", "#!/usr/bin/env fish")).toBe(true);
  expect(isSource("bin/run", "#!/bin/bash -e")).toBe(true);
});

test("prose, data, pictures and lock files are not source", () => {
  const others = [
    "README.md",
    "notes.txt",
    "a.json",
    "b.yaml",
    "c.toml",
    "d.csv",
    "e.png",
    "f.svg",
    "LICENSE",
  ];
  const locks = [
    "package-lock.json",
    "yarn.lock",
    "Cargo.lock",
    "go.sum",
    "poetry.lock",
    ".gitignore",
    "bin/run",
  ];
  expect([...others, ...locks].filter((path) => isSource(path))).toEqual([]);
});
