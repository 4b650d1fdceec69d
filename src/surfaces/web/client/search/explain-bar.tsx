import type { ExplainedHit, ShownExplanation } from "./search-request.ts";

/** Why the hit is here: its score as a bar; opened, its ranks in both lists and what each step added or multiplied. */
export function ExplainBar({ hit }: { readonly hit: ExplainedHit }) {
  const { explanation } = hit;
  const score = Math.round(hit.relevance_score * 100);
  if (!explanation) return <ScoreBar score={score} />;
  return (
    <details class="explain">
      <summary>
        <BonusBar explanation={explanation} score={score} />
        <span>Why here</span>
      </summary>
      <dl>
        <Fact name="by words" text={rank(explanation.keyword_rank)} />
        <Fact name="by meaning" text={rank(explanation.vector_rank)} />
        {explanation.exact_name && <Fact name="exact name" text="as asked" />}
        {explanation.steps.map(({ step, bonus, factor }) => (
          <div key={step}>
            <dt>{step.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}</dt>
            <dd>
              {factor !== undefined && <FactorBar factor={factor} />}
              {bonus === undefined ? "" : `+ ${bonus.toFixed(3)} `}
              {factor === undefined ? "" : `× ${factor.toFixed(2)}`}
            </dd>
          </div>
        ))}
        <Fact name="score" text={explanation.score.toFixed(3)} />
      </dl>
    </details>
  );
}

const rank = (place: number | undefined) => (place === undefined ? "not in the list" : `place ${place}`);

const Fact = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

const ScoreBar = ({ score }: { readonly score: number }) => (
  <span class="score" role="img" aria-label={`Relevance ${score} of 100`} title={`Relevance ${score} of 100`}>
    <span class="fill-1" style={{ width: `${score}%` }} />
  </span>
);

/** The relevance, divided into the shares of the steps that added to it. */
function BonusBar({
  explanation,
  score,
}: {
  readonly explanation: ShownExplanation;
  readonly score: number;
}) {
  const added = explanation.steps.filter(({ bonus = 0 }) => bonus > 0);
  const sum = added.reduce((all, { bonus = 0 }) => all + bonus, 0);
  if (sum === 0) return <ScoreBar score={score} />;
  return (
    <span
      class="score"
      role="img"
      aria-label={`Relevance ${score} of 100`}
      title={`Relevance ${score} of 100`}
    >
      {added.map(({ step, bonus = 0 }, at) => (
        <span
          key={step}
          class={`fill-${(at % 9) + 1}`}
          style={{ width: `${(bonus / sum) * score}%` }}
          title={step}
        />
      ))}
    </span>
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
