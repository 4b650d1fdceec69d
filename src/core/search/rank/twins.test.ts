import { expect, test } from "vitest";
import { findTwins } from "./twins.ts";
import { RANK_WEIGHTS } from "./weights.ts";

const stepsOf = (paths: readonly string[], question = "parse") =>
  Object.fromEntries([...findTwins(paths, question, RANK_WEIGHTS)].map(([path, { step }]) => [path, step]));

test("the older of two versions stands behind, unless the question names it", () => {
  const paths = ["src/v3/types.ts", "src/v4/core/schemas.ts", "src/index.ts"];
  expect(stepsOf(paths)).toEqual({ "src/v3/types.ts": "olderVersion" });
  expect(stepsOf(paths, "parse in v3")).toEqual({});
});

test("versions below different directories have nothing to do with each other", () => {
  expect(stepsOf(["api/v1/users.go", "storage/v2/disk.go"])).toEqual({});
});

test("a header stands behind its implementation, and alone it does not", () => {
  expect(stepsOf(["lib/url.h", "lib/url.c", "include/curl.h"])).toEqual({ "lib/url.h": "header" });
});
