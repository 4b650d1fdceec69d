import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { projectDataDirectory } from "../../../core/home.ts";
import { MirrorCache } from "./mirror-cache.ts";

test("the longest unused projects leave a full disk, with their indexes; the one in use stays", async () => {
  using place = tempDir();
  const directory = join(place.path, "mirrors");
  const cache = new MirrorCache({ directory, home: place.path, maxBytes: 2_500 });
  const fill = (id: string) =>
    cache.use(id, async (at) => {
      const index = projectDataDirectory(place.path, join(at, "tree"));
      for (const folder of [join(at, "mirror.git"), index]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "data"), Buffer.alloc(500));
      }
      return index;
    });
  const indexes = [await fill("one"), await fill("two"), await fill("one"), await fill("three")];
  expect(["one", "two", "three"].map((id) => existsSync(join(directory, id)))).toEqual([true, false, true]);
  expect(indexes.map((index) => existsSync(index))).toEqual([true, false, true, true]);
  await cache.use("two", async () => {
    await fill("four");
    expect(existsSync(join(directory, "two"))).toBe(true);
  });
});
