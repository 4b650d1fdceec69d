import { useEffect, useState } from "preact/hooks";
import { counted, milliseconds } from "../app/format.ts";
import type { CodeSpan } from "../parts/code-lines.ts";
import { Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { CodeHit, sourceOf } from "./code-hit.tsx";
import { type CodeAnswer, colorsOf, type SearchForm, searchCode } from "./search-request.ts";

export function CodeResults({ form }: { readonly form: SearchForm }) {
  const { value, problem, isLoading, reload } = useLoaded<CodeAnswer>(
    (signal) => searchCode(form, signal),
    JSON.stringify(form),
  );
  const spans = useColors(value);
  return (
    <section aria-labelledby="code-title" aria-busy={isLoading}>
      <h2 id="code-title" class="section-title">
        Code {value && <span class="faint">{summary(value)}</span>}
      </h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading lines={8} />}
      {value && problem === undefined && (
        <>
          {value.degraded !== undefined && <p class="notice">{value.degraded}</p>}
          {value.results.length === 0 && <p class="faint">{value.message}</p>}
          <ol class="hits">
            {value.results.map((hit, at) => (
              <CodeHit
                key={`${hit.project} ${hit.file.path} ${hit.chunk_id}`}
                hit={hit}
                query={form.query}
                spans={spans[at] ?? []}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function useColors(answer: CodeAnswer | undefined): readonly (readonly CodeSpan[])[] {
  const [spans, setSpans] = useState<readonly (readonly CodeSpan[])[]>([]);
  useEffect(() => {
    setSpans([]);
    const leaving = new AbortController();
    const sources = (answer?.results ?? []).map((hit) => ({ path: hit.file.path, text: sourceOf(hit).text }));
    colorsOf(sources, leaving.signal).then(
      (found) => leaving.signal.aborted || setSpans(found),
      // Code without colours is still readable.
      () => undefined,
    );
    return () => leaving.abort();
  }, [answer]);
  return spans;
}

function summary({ results, statistics }: CodeAnswer): string {
  const changed = statistics.files_changed > 0 ? `, ${counted(statistics.files_changed, "file")} behind` : "";
  const model = statistics.model === undefined ? "" : `, ${statistics.model.split("@")[0]}`;
  return `${counted(results.length, "hit")} in ${milliseconds(statistics.search_duration_ms)}${model}${changed}`;
}
