import { expect, test } from "vitest";
import { symbolLines } from "../../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../../parse.ts";

test("types, members, nesting, annotations left out of the head", async () => {
  const text = `package a.b;
import java.util.List;

/** A store. */
@Service
public class Store<T> extends Base {
  private int size;
  /** Adds. */
  @Override public void add(T item) {}
  private Store() {}
  enum Colour { RED; void paint() {} }
}
interface Has { boolean has(); }
record Pair(int a, int b) {}
`;
  expect(await symbolLines("x.java", text)).toEqual([
    "5-12 +class Store: public class Store<T> extends Base // A store.",
    "9-9 +method Store.add: public void add(T item) // Adds.",
    "10-10 -method Store.Store: private Store()",
    "11-11 +enum Store.Colour: enum Colour",
    "11-11 +const Colour.RED: RED",
    "11-11 +method Colour.paint: void paint()",
    "13-13 +interface Has: interface Has",
    "13-13 +method Has.has: boolean has()",
    "14-14 +class Pair: record Pair(int a, int b)",
  ]);
  expect(await parseSource("x.java", text)).toMatchObject({
    packageName: "a.b",
    imports: ["java.util.List"],
  });
});

test("what is constant is a symbol, what may change is found with its class", async () => {
  const text = `class Limits {
  public static final int LOW = 1, HIGH = 2;
  private static final String NAME = "${"n".repeat(80)}";
  static int count;
  final int size = 1;
}
interface Colours { int RED = 1; }
@interface Retry { int times() default 3; }
enum Level { LOUD(2) { void hear() {} } }
`;
  expect(await symbolLines("x.java", text)).toEqual([
    "1-6 +class Limits: class Limits",
    "2-2 +const Limits.LOW: public static final int LOW = 1, HIGH = 2",
    "2-2 +const Limits.HIGH: public static final int LOW = 1, HIGH = 2",
    "3-3 -const Limits.NAME: private static final String NAME",
    "7-7 +interface Colours: interface Colours",
    "7-7 +const Colours.RED: int RED = 1",
    "8-8 +interface Retry: @interface Retry",
    "8-8 +method Retry.times: int times() default 3",
    "9-9 +enum Level: enum Level",
    "9-9 +const Level.LOUD: LOUD(2)",
  ]);
});
