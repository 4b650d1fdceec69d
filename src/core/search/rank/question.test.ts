import { expect, test } from "vitest";
import { readQuestion } from "./question.ts";

test.each(["ParseFile", "Rails::Engine", "store.get", "user_auth", "parse-file", "empty?"])(
  "%s is a name",
  (text) => {
    expect(readQuestion(text).isName).toEqual(true);
  },
);

test.each(["parse file", "how does it work?", "", "a, b"])("%j is not a name", (text) => {
  expect(readQuestion(text).isName).toEqual(false);
});

test("names within a sentence are told by their look, qualified ones also by their member", () => {
  expect(readQuestion("how Router calls app.handle").names).toEqual([
    { text: "Router", look: "capital" },
    { text: "calls", look: "word" },
    { text: "app.handle", look: "identifier" },
    { text: "handle", look: "identifier" },
  ]);
});

test("words are parts of identifiers, without stop words", () => {
  expect(readQuestion("how does parseHttpHeader work with the cache").words).toEqual([
    "parse",
    "http",
    "header",
    "work",
    "cache",
  ]);
});
