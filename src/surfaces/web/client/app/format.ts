const NUMBER = new Intl.NumberFormat("en");

export const number = (value: number): string => NUMBER.format(value);
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

export function milliseconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} ms`;
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A small share is not nothing, and a large one is not all. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  const share = (part / whole) * 100;
  if (share < 1) return "<1 %";
  return share < 100 ? `${Math.min(99, Math.round(share))} %` : "100 %";
}

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** "3 hours ago"; a time that cannot be read is shown as it is. */
export function ago(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (Number.isNaN(seconds)) return time;
  const step = STEPS.find(([, size]) => seconds >= size);
  if (!step) return "just now";
  return `${counted(Math.floor(seconds / step[1]), step[0])} ago`;
}

export const clock = (time: string): string => new Date(time).toLocaleTimeString("en-GB");
