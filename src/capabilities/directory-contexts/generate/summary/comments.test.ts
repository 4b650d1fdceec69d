import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";
import { commentSentences } from "./comments.ts";

describe("of a comment, only what it says about the code is kept", () => {
  test.each([
    {
      comment: "a tag of JSDoc",
      text: "Places an order.\n@param id the order's id\n@returns the total",
      said: "Places an order.",
    },
    {
      comment: "a tag on the same line",
      text: "Places an order. @param id its id",
      said: "Places an order.",
    },
    {
      comment: "links of Javadoc, by their text or the last part of the name",
      text: "Takes {@link org.shop.Order orders} and\n{@link org.shop.sub.Bill} of {@link Shop @Shop}.",
      said: "Takes orders and Bill of Shop.",
    },
    { comment: "a tag with a hyphen", text: "@no-named-arguments Names of parameters change.", said: "" },
    { comment: "a comment of Markdown", text: "<!-- no list -->\n\nPlaces orders.", said: "Places orders." },
    { comment: "an entity", text: "Orders &middot; bills.", said: "Orders · bills." },
    { comment: "a picture", text: "[![](a.png)](https://x.org)\n\nPlaces orders.", said: "Places orders." },
    { comment: "tags alone", text: "@returns {boolean | undefined}\n@package", said: "" },
    {
      comment: "a tag that describes",
      text: "@fileoverview Places orders.\n@module orders",
      said: "Places orders.",
    },
    {
      comment: "the name of a package",
      text: "@acme/orders places orders.",
      said: "@acme/orders places orders.",
    },
    {
      comment: "links of Go and emphasis",
      text: "Reads as per the [File design] and *blocks* each a[i] and b[j].",
      said: "Reads as per the File design and blocks each a[i] and b[j].",
    },
    { comment: "a remark for an editor", text: "ReSharper disable once CheckNamespace", said: "" },
    { comment: "a code fence", text: "Matches a header.\n```ts\napp.get()\n```", said: "Matches a header." },
    { comment: "fields of Sphinx", text: "Places an order.\n:param id: its id", said: "Places an order." },
    { comment: "an author", text: "Places orders.\nWritten by A. Bee.", said: "Places orders." },
    { comment: "a banner kept by minifiers", text: "! orders 1.2.3, all of them", said: "" },
    {
      comment: "a licence below a name",
      text: "orders\nCopyright(c) 2014-2018 A. Bee\nMIT Licensed",
      said: "",
    },
    {
      comment: "a licence in its second paragraph",
      text: "Places orders.\n\nCopyright (C) 2001 A. Bee. All rights reserved.",
      said: "Places orders.",
    },
    {
      comment: "who wrote the types",
      text: "Type definitions for orders\nOriginal definitions by: A. Bee <https://x>",
      said: "",
    },
    { comment: "a mark of a bundler", text: "lib/orders/place.js", said: "" },
    { comment: "the title of a section", text: "Module dependencies.\n@private", said: "" },
    { comment: "a remark", text: "DEPRECATED: import from orders", said: "" },
    { comment: "a list", text: "1. Places orders.\n2. Counts them.", said: "" },
    { comment: "work that is left to do", text: "TODO: export less here", said: "" },
    { comment: "a link of Markdown", text: "Talks to [peers](https://x.org).", said: "Talks to peers." },
    {
      comment: "Markdown",
      text: "# Keys\n\n> **Keeps** [`Keys`][crate::Keys] of [all][] kinds.\n",
      said: "Keeps `Keys` of all kinds.",
    },
    { comment: "a link", text: "Undoes {@link place}.", said: "Undoes place." },
    { comment: "a mark that folds", text: "#region src/orders/index.ts", said: "" },
    { comment: "a mark around words", text: "#region a\nPlaces orders.\n#endregion", said: "Places orders." },
    {
      comment: "licences as a subject",
      text: "Checks that each copyright is told.",
      said: "Checks that each copyright is told.",
    },
  ])("$comment", ({ text, said }) => {
    expect(commentSentences(text)).toBe(said);
  });
});

test.each([
  {
    before: "a banner",
    text: "/*!\n * orders\n * MIT Licensed\n */\n\n/* Places orders. */\n\nimport a from 'a';\n",
  },
  {
    before: "a mark for a tool",
    text: "#!/usr/bin/env node\n/* eslint-disable no-x */\n// Places orders.\n\nexport {};\n",
  },
])("a file is described by the comment after $before", async ({ text }) => {
  expect((await draftOf({ "a/index.js": text }, "a")).summary).toBe("Places orders.");
});

test("long comments of one character are read in linear time", () => {
  for (const sign of [".\n", "#", " ", "@", "(c)", "\n ", "{@a ", "a.js\n", "a.j"]) {
    expect(commentSentences(sign.repeat(200_000)).length).toBeLessThan(201);
  }
});

test("a line comment directly before an import is about the import", async () => {
  const files = {
    "a/index.js": "// This must stay here.\nimport a from 'a';\n",
    "a/b.js": "export const b = 1;\n",
  };
  expect((await draftOf(files, "a")).summary).toBe("2 JavaScript files (derived).");
});

test("annotations may come between the comment of a Java package and the package", async () => {
  const files = {
    "a/package-info.java":
      '/*\n * Copyright 2020 A. Bee\n */\n\n/**\n * Ways to pay.\n */\n\n@NullMarked\n@Api(since = "1")\npackage org.shop.a;\n',
    "a/Card.java": "public class Card { }\n",
  };
  expect((await draftOf(files, "a")).summary).toBe("Ways to pay.");
});
