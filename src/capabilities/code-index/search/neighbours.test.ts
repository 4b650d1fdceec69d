import { expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";

test("a private method of a class has neighbours", async () => {
  const path = "counter.js";
  await using project = openProject({
    [path]:
      "export class Counter {\n  #increment() {\n    this.count += 1;\n  }\n\n  click() {\n    this.#increment();\n  }\n}\n",
  });
  await project.index();
  const { signal } = new AbortController();
  for (const name of ["#increment", "a-b", "operator[]", "x?", "a/b"]) {
    const { callers } = await project.room.neighbours(project.root, { path, name }, signal);
    expect(callers.every((caller) => caller.path === path)).toBe(true);
  }
});
