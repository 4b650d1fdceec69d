import { expect, test } from "vitest";
import { buildTree, findNode, layoutTree } from "./treemap.ts";

const PATHS = ["src/app.ts", "src/core/a.ts", "src/core/b.ts", "README.md"];

test("a directory has the lines of its files, and children are ordered by size", () => {
  const root = buildTree(PATHS, [100, 50, 250, 10]);
  expect([root.size, findNode(root, "src").size, findNode(root, "src/core").size]).toEqual([410, 400, 300]);
  expect(findNode(root, "src").children.map(({ name }) => name)).toEqual(["core", "app.ts"]);
});

test("boxes of files do not overlap and stay inside", () => {
  const boxes = layoutTree(buildTree(PATHS, [100, 50, 250, 10]), 800, 600);
  const files = boxes.filter(({ node }) => node.file !== undefined);
  expect(files.length).toBe(4);
  for (const [at, a] of files.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= 800.01 && a.y + a.height <= 600.01).toBe(true);
    for (const b of files.slice(at + 1)) {
      const isApart =
        a.x + a.width <= b.x + 0.01 ||
        b.x + b.width <= a.x + 0.01 ||
        a.y + a.height <= b.y + 0.01 ||
        b.y + b.height <= a.y + 0.01;
      expect(isApart).toBe(true);
    }
  }
});

test("areas of files in one directory are proportional to their lines", () => {
  const [large, small] = layoutTree(buildTree(["a", "b"], [300, 100]), 400, 400);
  const area = (box: typeof large) => (box?.width ?? 0) * (box?.height ?? 0);
  expect(area(large) / area(small)).toBeCloseTo(3);
});

test("an empty project and a directory that is not there are no error", () => {
  const root = buildTree([], []);
  expect([layoutTree(root, 100, 100), findNode(root, "no/where").path]).toEqual([[], ""]);
});
