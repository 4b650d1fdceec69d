import { useEffect, useRef, useState } from "preact/hooks";
import type { CallSummary } from "../../../call-log.ts";
import { milliseconds } from "../app/format.ts";

const HEIGHT = 150;
const LEFT = 52;
const BOTTOM = 18;
const TOP = 8;
const SHOWN = 200;

/** How long calls took, in their order, on a logarithmic scale. */
export function LatencyPlot({ calls }: { readonly calls: readonly CallSummary[] }) {
  const [frame, width] = useWidth();
  const shown = calls.slice(-SHOWN);
  const times = shown.map((call) => Math.max(1, call.milliseconds));
  const highest = Math.max(1000, 10 ** Math.ceil(Math.log10(Math.max(1, ...times))));
  const y = (value: number) =>
    TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.log10(Math.max(1, value)) / Math.log10(highest));
  const x = (at: number) => LEFT + 8 + ((width - LEFT - 20) * at) / Math.max(1, shown.length - 1);
  const ticks = [1, 10, 100, 1000, 10_000, 100_000].filter((tick) => tick <= highest);
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return (
    <figure class="panel plot" ref={frame}>
      <figcaption>
        Time to answer <span class="faint">median {milliseconds(median)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`Time to answer of ${shown.length} calls, median ${milliseconds(median)}`}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line class="grid" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {tick < 1000 ? `${tick} ms` : `${tick / 1000} s`}
            </text>
          </g>
        ))}
        {shown.map((call, at) => (
          <circle
            key={call.id}
            class={call.isError ? "failed" : "point"}
            cx={x(at)}
            cy={y(call.milliseconds)}
            r="3.5"
          >
            <title>{`${call.tool}: ${milliseconds(call.milliseconds)}`}</title>
          </circle>
        ))}
        <text x={width} y={HEIGHT - 2} text-anchor="end">
          newest
        </text>
      </svg>
    </figure>
  );
}

/** The plot is drawn at its real width, so that its text has the size of all other text. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(560);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)),
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}
