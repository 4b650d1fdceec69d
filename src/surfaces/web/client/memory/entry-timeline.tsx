import { useEffect, useRef, useState } from "preact/hooks";
import { ago } from "../app/format.ts";
import type { ShownEntry } from "./memory-entries.ts";

interface EntryTimelineProps {
  readonly entries: readonly ShownEntry[];
  readonly selected: string;
  select(entry: ShownEntry): void;
}
/** Thousands of entries are drawn as one scrolls. */
const STEP = 120;

export function EntryTimeline({ entries, selected, select }: EntryTimelineProps) {
  const [count, setCount] = useState(STEP);
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setCount((before) => before + STEP);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  const shown = entries.slice(0, count);
  return (
    <ol class="timeline" aria-label={`${entries.length} entries, newest first`}>
      {shown.map((entry, at) => (
        <li key={`${entry.kind}/${entry.key}`} data-result tabIndex={-1}>
          {monthOf(entry) !== monthOf(shown[at - 1]) && <p class="month">{monthOf(entry)}</p>}
          <article class={selected === `${entry.kind}/${entry.key}` ? "entry-row selected" : "entry-row"}>
            <p>
              <span class={`swatch kind-${entry.kind}`} />
              <button type="button" class="link" data-open onClick={() => select(entry)}>
                {entry.title}
              </button>{" "}
              <EntryTags entry={entry} />
            </p>
            <p class="faint entry-line">{firstLine(entry.text)}</p>
            <p class="faint">
              {entry.kind} · {ago(entry.updated_at)}
              {entry.author ? ` · ${entry.author}` : ""}
            </p>
          </article>
        </li>
      ))}
      {count < entries.length && (
        <li ref={end} class="faint">
          {entries.length - count} more
        </li>
      )}
      {entries.length === 0 && <li class="faint">No entry matches.</li>}
    </ol>
  );
}

export function EntryTags({ entry }: { readonly entry: ShownEntry }) {
  const { scope, status, suspect, rating, needsAttention } = entry;
  return (
    <span class="tags">
      {scope !== "public" && <span class="tag">{scope}</span>}
      {status !== undefined && <span class="tag">{status}</span>}
      {suspect && (
        <span class="tag" data-state="stale">
          anchor moved
        </span>
      )}
      {rating && rating.average !== null && (
        <span class="tag">
          {rating.average.toFixed(1)} of 5, used {rating.used}×
        </span>
      )}
      {needsAttention && (
        <span class="tag" data-state="problem">
          needs attention
        </span>
      )}
    </span>
  );
}

function monthOf(entry: ShownEntry | undefined): string {
  const time = Date.parse(entry?.updated_at ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time).toLocaleDateString("en", { month: "long", year: "numeric" });
}

const firstLine = (text: string): string =>
  text.split("\n").find((line) => line.trim() !== "" && !/^(#|---|Context$|name:|description:)/.test(line)) ??
  "";
