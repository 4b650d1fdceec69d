import { ago } from "../app/format.ts";
import { addressOf } from "../app/router.ts";
import { MarkedSnippet } from "../parts/marked.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { type FoundDocument, type SearchForm, searchDocuments } from "./search-request.ts";

export function DocumentResults({ form }: { readonly form: Pick<SearchForm, "query" | "mode"> }) {
  const { value, problem, reload } = useLoaded<{ results: readonly FoundDocument[] }>(
    (signal) => searchDocuments(form, signal),
    `${form.mode} ${form.query}`,
  );
  return (
    <section aria-labelledby="documents-title">
      <h2 id="documents-title" class="section-title">
        Documents {value && <span class="faint">{value.results.length}</span>}
      </h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading />}
      {value?.results.length === 0 && <p class="faint">No document has it.</p>}
      <ol class="small-hits">
        {value?.results.map(({ id, title, source, source_id, updated_at, snippet }) => (
          <li key={id} data-result tabIndex={-1}>
            <p>
              <a data-open href={addressOf("documents", { id })}>
                {title ?? source_id}
              </a>
            </p>
            <p class="faint">
              {source} · {source_id} · {ago(updated_at)}
            </p>
            <p class="snippet">
              <MarkedSnippet text={snippet} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
