import { expect, test } from "vitest";
import { shared } from "./shared.ts";

test("opened once for all, closed by the last, opened anew afterwards", async () => {
  const events: string[] = [];
  const open = shared(async () => {
    events.push("open");
    return { close: async () => void events.push("close") };
  });
  const [first, second] = await Promise.all([open(), open()]);
  await first.close();
  await first.close();
  expect(events).toEqual(["open"]);
  await Promise.all([second.close(), second.close()]);
  await (await open()).close();
  expect(events).toEqual(["open", "close", "open", "close"]);
});

test("a failure is not kept", async () => {
  let tries = 0;
  const open = shared(async () => {
    if (tries++ === 0) throw new Error("not yet");
    return { close: async () => {} };
  });
  await expect(open()).rejects.toThrow("not yet");
  await (await open()).close();
  expect(tries).toEqual(2);
});
