import { byCodeUnit } from "../../../core/order.ts";
import { mapThree, type Three } from "./three.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Merges JSON objects key by key. `conflicts` lists keys that both sides set differently; there the later record wins. */
export function mergeJson(
  base: Json,
  ours: Json,
  theirs: Json,
): { value: Json | undefined; conflicts: readonly string[] } {
  const conflicts: string[] = [];
  return { value: mergeValue({ base, ours, theirs }, "", conflicts), conflicts };
}

function mergeValue(values: Three<Json | undefined>, at: string, conflicts: string[]): Json | undefined {
  const { base, ours, theirs } = values;
  const [b, o, t] = [canonical(base), canonical(ours), canonical(theirs)];
  if (o === t || t === b) return ours;
  if (o === b) return theirs;
  if (isObject(ours) && isObject(theirs))
    return mergeObjects({ base: isObject(base) ? base : {}, ours, theirs }, at, conflicts);
  conflicts.push(at);
  return laterOf(ours, theirs);
}

function mergeObjects(objects: Three<JsonRecord>, at: string, conflicts: string[]): JsonRecord {
  const merged: [string, Json][] = [];
  const keys = new Set([...Object.keys(objects.ours), ...Object.keys(objects.theirs)]);
  for (const key of [...keys].sort(byCodeUnit)) {
    const values = mapThree(objects, (object) => ownValue(object, key));
    const value = mergeValue(values, at === "" ? key : `${at}.${key}`, conflicts);
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

type JsonRecord = { [key: string]: Json };
const isObject = (value: Json | undefined): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const ownValue = (object: JsonRecord, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** The record with the later time, else the greater text: the same choice on both machines. */
function laterOf(ours: Json | undefined, theirs: Json | undefined): Json | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  return canonical(ours) > canonical(theirs) ? ours : theirs;
}

/** Merges NDJSON by id: keeps everything that either side added, in the order of time. */
export function mergeNdjson(base: string, ours: string, theirs: string): string {
  const [b, o, t] = [recordsOf(base), recordsOf(ours), recordsOf(theirs)];
  const kept = [...b.keys()].filter((id) => o.has(id) && t.has(id));
  const added = [...new Set([...o.keys(), ...t.keys()])].filter((id) => !b.has(id));
  const pick = (id: string): NdRecord | undefined => {
    const [mine, other, before] = [o.get(id), t.get(id), b.get(id)];
    if (!mine || !other) return mine ?? other;
    if (mine.line === before?.line) return other;
    if (other.line === before?.line) return mine;
    return mine.line > other.line ? mine : other;
  };
  const fresh = added.map(pick).filter((record) => record !== undefined);
  fresh.sort((x, y) => byCodeUnit(x.time, y.time) || byCodeUnit(x.line, y.line));
  const lines = [...kept.map(pick), ...fresh].flatMap((record) => (record ? [`${record.line}\n`] : []));
  return lines.join("");
}

interface NdRecord {
  readonly line: string;
  readonly time: string;
}

function recordsOf(text: string): Map<string, NdRecord> {
  const records = new Map<string, NdRecord>();
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const { id, time } = identify(line.replace(/\r$/, ""));
    records.set(id, { line: line.replace(/\r$/, ""), time });
  }
  return records;
}

/** The id of an incomplete line is its text. */
function identify(line: string): { id: string; time: string } {
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record !== "object" || record === null) return { id: line, time: "" };
    const id = "id" in record && typeof record.id === "string" ? record.id : line;
    const time = "timestamp" in record ? record.timestamp : "started" in record ? record.started : "";
    return { id, time: typeof time === "string" ? time : "" };
  } catch {
    return { id: line, time: "" };
  }
}

/** The same text for equal values, whatever the order of keys; a later `updated_at` sorts higher. */
function canonical(value: Json | undefined): string {
  if (value === undefined) return "";
  if (!isObject(value)) return JSON.stringify(value);
  const time = ownValue(value, "updated_at");
  const entries = Object.entries(value).sort(([a], [b]) => byCodeUnit(a, b));
  return `${typeof time === "string" ? time : ""}{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)}}`;
}
