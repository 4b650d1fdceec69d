import { useState } from "preact/hooks";
import { CodeBlock } from "../parts/code-block.tsx";
import { bestLine, type CodeSpan, wordsOf } from "../parts/code-lines.ts";
import { EditorLinks } from "../parts/editor-links.tsx";
import { ExplainBar } from "./explain-bar.tsx";
import { References } from "./references.tsx";
import type { ExplainedHit } from "./search-request.ts";

interface CodeHitProps {
  readonly hit: ExplainedHit;
  readonly query: string;
  readonly spans: readonly CodeSpan[];
}
const SHOWN_LINES = 12;
const LINES_BEFORE = 3;

export function CodeHit({ hit, query, spans }: CodeHitProps) {
  const [isOpen, setOpen] = useState(false);
  const { file, symbol, fresh, matches } = hit;
  const { text, firstLine } = sourceOf(hit);
  const lines = text.split("\n");
  const words = wordsOf(query);
  const matched = matches?.[0]?.line;
  const best = matched === undefined ? bestLine(lines, words) : matched - firstLine;
  const from = Math.max(0, Math.min(best - LINES_BEFORE, lines.length - SHOWN_LINES));
  const range = isOpen ? ([0, lines.length] as const) : ([from, from + SHOWN_LINES] as const);
  const owner = symbol.parent === undefined ? "" : `${symbol.parent}.`;
  return (
    <li>
      <article
        class="hit"
        data-result
        tabIndex={-1}
        aria-label={`${symbol.kind} ${symbol.name} in ${file.path}`}
      >
        <header>
          <h3>
            <span class="kind">{symbol.kind}</span> {owner}
            {symbol.name || file.path.split("/").pop()}
          </h3>
          <ExplainBar hit={hit} />
        </header>
        <p class="place">
          {hit.project !== undefined && (
            <span class="tag" title={hit.commit}>
              {hit.project}
            </span>
          )}
          <span class="path">
            {file.path}:{file.start_line}–{file.end_line}
          </span>
          {fresh === false && (
            <span class="tag" data-state="stale">
              changed since
            </span>
          )}
          <EditorLinks path={file.path} line={firstLine + best} />
          <References hit={hit} />
        </p>
        <CodeBlock
          text={text}
          firstLine={firstLine}
          spans={spans}
          words={words}
          range={range}
          label={`Source of ${symbol.name || file.path}`}
        />
        {lines.length > SHOWN_LINES && (
          <button
            type="button"
            class="quiet"
            data-open
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Show fewer lines" : `Show all ${lines.length} lines`}
          </button>
        )}
      </article>
    </li>
  );
}

/** A later part of a long symbol begins with the signature and an ellipsis, which are not lines of the file there. */
export function sourceOf({ content, symbol, file }: ExplainedHit): {
  readonly text: string;
  readonly firstLine: number;
} {
  const repeated = `${symbol.signature}\n…\n`;
  const text = content.startsWith(repeated) ? content.slice(repeated.length) : content;
  return { text: text.replace(/\n+$/, ""), firstLine: file.start_line };
}
