import type { ProjectFiles } from "./map-view.tsx";
import type { MapNode } from "./treemap.ts";

export const COLOR_MODES = ["context", "churn", "asked", "language"] as const;
export type ColorMode = (typeof COLOR_MODES)[number];
export const MODE_TITLES = {
  context: "Freshness of directory contexts",
  churn: "Commits of the last year",
  asked: "What agents were given",
  language: "Language",
} as const satisfies Record<ColorMode, string>;

interface LegendEntry {
  readonly name: string;
  readonly color: string;
}
export interface MapColors {
  colorOf(file: MapNode): string;
  readonly legend: readonly LegendEntry[];
}
type Rgb = readonly [number, number, number];
const STATES = { fresh: "--ready", stale: "--stale", missing: "--line" } as const;
const MOST_LANGUAGES = 8;

/** Colours of files. They are read from the style sheet, so that they fit light and dark. */
export function mapColors(
  mode: ColorMode,
  files: ProjectFiles,
  asked: ReadonlyMap<string, number>,
): MapColors {
  if (mode === "context") return byContext(files);
  if (mode === "language") return byLanguage(files);
  return mode === "churn"
    ? byCount("commits", ({ file = 0 }) => files.changes[file] ?? 0, Math.max(1, ...sample(files.changes)))
    : byCount("answers", ({ path }) => asked.get(path) ?? 0, Math.max(1, ...asked.values()));
}

function byContext({ directories }: ProjectFiles): MapColors {
  const colors = Object.fromEntries(
    Object.entries(STATES).map(([state, name]) => [state, text(variable(name))]),
  );
  const stateOf = (path: string): string => {
    const directory = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    return directories[directory]?.state ?? "missing";
  };
  return {
    colorOf: ({ path }) => colors[stateOf(path)] ?? "",
    legend: Object.entries(colors).map(([name, color]) => ({ name, color })),
  };
}

function byLanguage({ languages }: ProjectFiles): MapColors {
  const counts = new Map<string, number>();
  for (const language of languages) counts.set(language, (counts.get(language) ?? 0) + 1);
  const ordered = [...counts].filter(([name]) => name !== "").sort(([, a], [, b]) => b - a);
  const colors = new Map(ordered.slice(0, MOST_LANGUAGES).map(([name], at) => [name, text(fill(at + 1))]));
  const other = text(fill(0));
  return {
    colorOf: ({ file = 0 }) => colors.get(languages[file] ?? "") ?? other,
    legend: [...[...colors].map(([name, color]) => ({ name, color })), { name: "other", color: other }],
  };
}

/** From pale to strong, on a logarithmic scale: few files have most of the changes. */
function byCount(unit: string, countOf: (file: MapNode) => number, most: number): MapColors {
  const [none, low, high] = [variable("--raised"), variable("--accent-soft"), variable("--accent")];
  const shade = (count: number): string => {
    if (count === 0) return text(none);
    const part = most <= 1 ? 1 : Math.log(count) / Math.log(most);
    return text([0, 1, 2].map((at) => mix(low[at] ?? 0, high[at] ?? 0, 0.25 + 0.75 * part)));
  };
  const middle = Math.max(1, Math.round(Math.sqrt(most)));
  const steps = [...new Set([0, 1, middle, most])].sort((a, b) => a - b);
  return {
    colorOf: (file) => shade(countOf(file)),
    legend: steps.map((count) => ({ name: `${count} ${unit}`, color: shade(count) })),
  };
}

/** A spread of tens of thousands of arguments would overflow the stack. */
const sample = (counts: readonly number[]) => [counts.reduce((most, count) => Math.max(most, count), 0)];
const mix = (a: number, b: number, part: number) => Math.round(a + (b - a) * part);
const text = (color: readonly number[]) => `rgb(${color.join(" ")})`;
const variable = (name: string) =>
  resolved((probe) => probe.style.setProperty("color", `var(${name})`), "color");
const fill = (at: number) => resolved((probe) => probe.classList.add(`fill-${at}`), "backgroundColor");

/** What the browser makes of a colour, now. */
function resolved(prepare: (probe: HTMLElement) => void, property: "color" | "backgroundColor"): Rgb {
  const probe = document.createElement("span");
  prepare(probe);
  document.body.append(probe);
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe)[property].match(/[\d.]+/g) ?? []).map(
    Number,
  );
  probe.remove();
  return [red, green, blue];
}
