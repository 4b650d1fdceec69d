import { z } from "zod";
import type { Chosen, PackStep } from "../choose/choose.ts";
import type { SafeItem } from "../choose/safe-item.ts";
import { PACK_ROOMS } from "../item.ts";

const REASONS = ["budget", "duplicate", "stale", "below score", "excluded"] as const;

export const Receipt = z.object({
  taken: z.array(
    z.object({
      room: z.enum(PACK_ROOMS),
      items: z.array(z.object({ id: z.string(), title: z.string(), size: z.string(), why: z.string() })),
    }),
  ),
  left_out: z.array(
    z.object({ room: z.enum(PACK_ROOMS), title: z.string(), where: z.string(), reason: z.enum(REASONS) }),
  ),
  next: z.object({ budget: z.int(), adds: z.array(z.string()) }).optional(),
  empty_rooms: z.array(
    z.object({ room: z.enum(PACK_ROOMS), reason: z.string(), command: z.string().optional() }),
  ),
});
export type Receipt = z.infer<typeof Receipt>;

export interface Omission {
  readonly item: SafeItem;
  readonly reason: (typeof REASONS)[number];
}

const SIZE_NAMES = ["whole", "brief", "name"] as const;
const MOST_LEFT_OUT = 12;
/** How many of them come before the reasons of what was taken. */
const MOST_LEFT_OUT_FIRST = 4;
const MOST_ADDED = 3;

export const sizeName = (item: SafeItem, size: number): string =>
  size === 0 ? "whole" : (SIZE_NAMES[item.sizes.length === 2 ? 2 : size] ?? "name");

export function makeReceipt(
  chosen: readonly Chosen[],
  omitted: readonly Omission[],
  { next, emptyRooms }: { next: Receipt["next"]; emptyRooms: Receipt["empty_rooms"] },
): Receipt {
  return {
    taken: PACK_ROOMS.flatMap((room) => {
      const items = chosen
        .filter(({ item }) => item.room === room)
        .map(({ item, size }) => ({
          id: item.id,
          title: item.title,
          size: sizeName(item, size),
          why: item.why,
        }));
      return items.length === 0 ? [] : [{ room, items }];
    }),
    left_out: omitted.slice(0, MOST_LEFT_OUT).map(({ item, reason }) => ({
      room: item.room,
      title: item.title,
      where: item.sizes[0]?.where ?? "",
      reason,
    })),
    ...(next && { next }),
    empty_rooms: emptyRooms,
  };
}

/** The next useful budget: the best steps that did not fit, and the tokens they need together. */
export function nextStep(used: number, notFitting: readonly PackStep[]): Receipt["next"] {
  const steps = notFitting.slice(0, MOST_ADDED);
  if (steps.length === 0) return undefined;
  const cost = steps.reduce((sum, step) => sum + step.cost, 0);
  return {
    budget: Math.ceil((used + cost) / 100) * 100,
    adds: steps.map(({ item, size }) => `${item.title} (${sizeName(item, size)})`),
  };
}

/** The receipt as Markdown: the most useful lines first, as many as fit into `room` tokens. */
export function renderReceipt(
  receipt: Receipt,
  { room, isFull }: { readonly room: number; readonly isFull: boolean },
  count: (text: string) => number,
): string {
  const lines = ["## Receipt"];
  let spent = count(lines[0] ?? "");
  for (const line of receiptLines(receipt, isFull)) {
    const cost = count(`\n${line}`) + 1;
    if (spent + cost > room) continue;
    spent += cost;
    lines.push(line);
  }
  return lines.join("\n");
}

function receiptLines({ taken, left_out, next, empty_rooms }: Receipt, isFull: boolean): string[] {
  const counts = taken.map(({ room, items }) => `${room} ${items.length}`);
  const leftOut = left_out.map(({ title, where, reason }) => `- left out (${reason}): ${title} \`${where}\``);
  return [
    `- taken: ${counts.length === 0 ? whyNothing(left_out) : counts.join(", ")}`,
    ...emptyRoomLines(taken, empty_rooms, isFull),
    ...(next ? [`- budget ${next.budget} would add: ${next.adds.join("; ")}`] : []),
    ...leftOut.slice(0, MOST_LEFT_OUT_FIRST),
    ...taken.flatMap(({ items }) => items.map(({ title, why }) => `- why ${title}: ${why}`)),
    ...leftOut.slice(MOST_LEFT_OUT_FIRST),
  ];
}

/** With something taken, rooms that gave nothing are one line: their reasons and commands are in the full receipt. */
function emptyRoomLines(taken: Receipt["taken"], rooms: Receipt["empty_rooms"], isFull: boolean): string[] {
  const isShort = taken.length > 0 && !isFull;
  const gave = new Set(taken.map(({ room }) => room));
  const explained = rooms.filter(({ room }) => !isShort || gave.has(room));
  const silent = rooms.filter((each) => !explained.includes(each)).map(({ room }) => room);
  return [
    ...explained.map(
      ({ room, reason, command }) => `- ${room}: ${reason}${command ? `; fill it with \`${command}\`` : ""}`,
    ),
    ...(silent.length === 0 ? [] : [`- nothing from: ${silent.join(", ")} (receipt "full" says why)`]),
  ];
}

function whyNothing(leftOut: Receipt["left_out"]): string {
  const reasons = new Set(leftOut.map(({ reason }) => reason));
  if (reasons.has("budget")) return "nothing fits into this budget";
  if (reasons.has("excluded"))
    return "nothing new: the packs you have contain everything relevant to this task";
  return "nothing is relevant to this task";
}
