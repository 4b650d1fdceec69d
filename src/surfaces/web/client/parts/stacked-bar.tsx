import { number, percent } from "../app/format.ts";

export interface BarPart {
  readonly name: string;
  readonly value: number;
  /** 1 to 9; 0 for everything else. */
  readonly color: number;
}
interface StackedBarProps {
  readonly label: string;
  readonly parts: readonly BarPart[];
  readonly unit: string;
  /** The whole, if the parts do not fill it. */
  readonly total?: number;
  readonly hasLegend?: boolean;
}

/** Shares of a whole as one bar, with a legend that says the same in words. */
export function StackedBar({ label, parts, unit, total, hasLegend = true }: StackedBarProps) {
  const sum = parts.reduce((all, { value }) => all + value, 0);
  const whole = Math.max(1, total ?? sum);
  return (
    <figure class="stacked">
      <div
        class="stacked-bar"
        role="img"
        aria-label={`${label}: ${parts.map(({ name, value }) => `${name} ${number(value)} ${unit}`).join(", ")}`}
      >
        {parts.map(({ name, value, color }) => (
          <span
            key={name}
            class={`fill-${color}`}
            style={{ flexGrow: value / whole }}
            title={`${name}: ${number(value)} ${unit}`}
          />
        ))}
        {total !== undefined && total > sum && (
          <span class="unfilled" style={{ flexGrow: (total - sum) / whole }} />
        )}
      </div>
      {hasLegend && (
        <figcaption>
          <ul class="legend">
            {parts.map(({ name, value, color }) => (
              <li key={name}>
                <span class={`swatch fill-${color}`} />
                {name} <span class="faint">{percent(value, whole)}</span>
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  );
}
