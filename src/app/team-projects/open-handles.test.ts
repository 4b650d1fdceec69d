import { expect, test } from "vitest";
import { OpenHandles } from "./open-handles.ts";

function openTexts(maxOpen = 10) {
  const events: string[] = [];
  const handles = new OpenHandles<string, string>({
    maxOpen,
    isSame: (a, b) => a === b,
    async open(version, before) {
      if (version === "broken") throw new Error("cannot be opened");
      events.push(`open ${version}${before ? ` after ${before}` : ""}`);
      return version;
    },
    async close(value) {
      events.push(`close ${value}`);
    },
  });
  return { events, handles };
}

test("calls share what is open, and a new version closes the old one after its last user", async () => {
  const { events, handles } = openTexts();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const first = handles.use("a", "one", () => held);
  await handles.use("a", "one", () => events.push("use one"));
  await handles.use("a", "two", () => events.push("use two"));
  expect(events).toEqual(["open one", "use one", "open two after one", "use two"]);
  letGo();
  await first;
  expect(events.at(-1)).toBe("close one");
  await handles.close();
  expect(events.at(-1)).toBe("close two");
});

test("the least recently used one is closed if there are too many", async () => {
  const { events, handles } = openTexts(2);
  for (const key of ["a", "b", "a", "c"]) await handles.use(key, key, () => {});
  await handles.use("b", "b", () => {});
  expect(events).toEqual(["open a", "open b", "open c", "close b", "open b", "close a"]);
});

test("what cannot be opened is tried again by the next call", async () => {
  const { events, handles } = openTexts();
  await expect(handles.use("a", "broken", () => {})).rejects.toThrow("cannot be opened");
  await handles.use("a", "one", () => events.push("use one"));
  expect(events).toEqual(["open one", "use one"]);
});
