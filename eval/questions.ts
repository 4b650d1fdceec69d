import { sha256 } from "../src/core/hash.ts";
import { byCodeUnit } from "../src/core/order.ts";
import type { Chunk, IndexedDocument } from "../src/core/search/index.ts";
import { partsOf } from "../src/core/search/text/terms.ts";
import type { GoFunction } from "./go-functions.ts";

export interface Question {
  readonly query: string;
  readonly answer: string;
  /** Questions of the other half are never looked at while tuning. */
  readonly half: "tuning" | "untouched";
}

/** A fixed choice, by the hash of what is chosen: the same at every run and on every machine. */
export function choose<T>(items: readonly T[], count: number, keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: sha256(keyOf(item)) }));
  return keyed
    .sort((a, b) => byCodeUnit(a.key, b.key))
    .slice(0, count)
    .map(({ item }) => item);
}

export const idOf = ({ path, receiver, name }: GoFunction): string => `${path}#${receiver}.${name}`;

/** The first sentence of the doc comment without the function's own name: what someone might ask who does not know it. */
export function questionOf(target: GoFunction): Question | undefined {
  const sentence = target.doc.replace(/\s+/g, " ").split(/(?<=[.!?])\s/)[0] ?? "";
  const query = sentence
    .replaceAll(new RegExp(`\\b${target.name}\\b`, "g"), "")
    .replace(/\s+/g, " ")
    .trim();
  if (query.split(" ").length < 5) return undefined;
  const half =
    Number.parseInt(sha256(`half ${idOf(target)}`).slice(0, 2), 16) % 2 === 0 ? "tuning" : "untouched";
  return { query, answer: idOf(target), half };
}

/** Functions as a room would index them, but without their doc comments: those are the questions. */
export function documentsOf(functions: readonly GoFunction[]): IndexedDocument[] {
  const byPath = new Map<string, GoFunction[]>();
  for (const target of functions) byPath.set(target.path, [...(byPath.get(target.path) ?? []), target]);
  return [...byPath].map(([path, members]) => ({
    id: path,
    path,
    attributes: {},
    chunks: members.map(chunkOf),
  }));
}

export function chunkOf(target: GoFunction): Chunk {
  const words = partsOf(target.name).join(" ");
  const receiver = partsOf(target.receiver).join(" ");
  return {
    id: idOf(target),
    title: target.name,
    doc: "",
    body: target.body,
    embedText: `${receiver} ${words}\n${target.signature}\n${target.body}`,
    attributes: {},
  };
}
