import { addressOf } from "../app/router.ts";
import { wordsOf } from "../parts/code-lines.ts";
import { Marked } from "../parts/marked.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { useLoaded } from "../parts/use-loaded.ts";
import { type MemoryLine, type SearchForm, searchMemory } from "./search-request.ts";

export function MemoryResults({ form }: { readonly form: SearchForm }) {
  const { value, problem, reload } = useLoaded<readonly MemoryLine[]>(
    (signal) => searchMemory(form, signal),
    form.query,
  );
  const words = wordsOf(form.query);
  return (
    <section aria-labelledby="memory-title">
      <h2 id="memory-title" class="section-title">
        Memory {value && <span class="faint">{value.length}</span>}
      </h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading />}
      {value?.length === 0 && <p class="faint">The team has written nothing about it.</p>}
      <ol class="small-hits">
        {value?.map((line) => (
          <li key={`${line.file}:${line.line}`} data-result tabIndex={-1}>
            <p>
              <span class="kind">{line.type}</span>{" "}
              <a data-open href={addressOf("memory", { entry: `${line.type}/${line.key}` })}>
                {line.key}
              </a>
              {line.suspect && <span class="tag" data-state="stale">suspect</span>}
            </p>
            <p class="snippet">
              <Marked text={line.text} words={words} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
