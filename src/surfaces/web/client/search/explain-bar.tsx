import type { ExplainedHit } from "./search-request.ts";

/** Why the hit is here: its score as a bar, and on demand its ranks and the factors of each step. */
export function ExplainBar({ hit }: { readonly hit: ExplainedHit }) {
  const facts = factsOf(hit.explain ?? hit.explanation);
  const score = Math.round(hit.relevance_score * 100);
  const bar = (
    <span
      class="score"
      role="img"
      aria-label={`Relevance ${score} of 100`}
      title={`Relevance ${score} of 100`}
    >
      <span style={{ width: `${score}%` }} />
    </span>
  );
  if (facts.length === 0) return bar;
  return (
    <details class="explain">
      <summary>
        {bar}
        <span>Why here</span>
      </summary>
      <dl>
        {facts.map(({ name, text, factor }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {factor !== undefined && <FactorBar factor={factor} />}
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Right of the middle: the step raised the hit. Left: it lowered it. */
function FactorBar({ factor }: { readonly factor: number }) {
  const size = Math.min(50, Math.abs(Math.log2(Math.max(0.01, factor))) * 25);
  const side = factor >= 1 ? { left: "50%" } : { right: "50%" };
  return (
    <span class="factor" aria-hidden="true">
      <span class={factor >= 1 ? "raised" : "lowered"} style={{ width: `${size}%`, ...side }} />
    </span>
  );
}

interface ExplainFact {
  readonly name: string;
  readonly text: string;
  readonly factor?: number;
}

/** Reads the explanation whatever its fields are: ranks are shown as they are, factors as bars. */
function factsOf(explanation: unknown): ExplainFact[] {
  if (typeof explanation !== "object" || explanation === null) return [];
  return Object.entries(explanation).flatMap(([name, value]): ExplainFact[] => {
    const label = name.replaceAll("_", " ");
    if (Array.isArray(value)) return value.flatMap(stepFact);
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).map(([step, factor]) =>
        numberFact(step.replaceAll("_", " "), factor, true),
      );
    }
    return value === null || value === undefined ? [] : [numberFact(label, value, false)];
  });
}

function stepFact(step: unknown): ExplainFact[] {
  if (typeof step !== "object" || step === null) return [];
  const fields = Object.values(step);
  const name = fields.find((value) => typeof value === "string");
  const factor = fields.find((value) => typeof value === "number");
  return typeof name === "string" ? [numberFact(name, factor, true)] : [];
}

function numberFact(name: string, value: unknown, isFactor: boolean): ExplainFact {
  if (typeof value !== "number") return { name, text: String(value) };
  const text = `${isFactor ? "× " : ""}${Number.isInteger(value) ? value : value.toFixed(3)}`;
  return { name, text, ...(isFactor && { factor: value }) };
}
