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
        Memory {value && <span class="faint">{byEntry(value).length}</span>}
      </h2>
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {value === undefined && problem === undefined && <Loading />}
      {value?.length === 0 && <p class="faint">The team has written nothing about it.</p>}
      <ol class="small-hits">
        {byEntry(value ?? []).map(({ line, texts }) => (
          <li key={line.file} data-result tabIndex={-1}>
            <p>
              <span class="kind">{line.type}</span>{" "}
              <a data-open href={addressOf("memory", { entry: `${line.type}/${line.key}` })}>
                {line.key}
              </a>
              {line.suspect && (
                <span class="tag" data-state="stale">
                  suspect
                </span>
              )}
            </p>
            <p class="snippet">
              <Marked text={texts.join("\n")} words={words} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const MOST_LINES = 3;

/** The lines of an entry together, in the order of the best one. Headings alone say nothing. */
function byEntry(lines: readonly MemoryLine[]) {
  const entries = new Map<string, { readonly line: MemoryLine; readonly texts: string[] }>();
  for (const line of lines) {
    const entry = entries.get(line.file) ?? { line, texts: [] };
    entries.set(line.file, entry);
    if (!/^#+ /.test(line.text) && entry.texts.length < MOST_LINES) entry.texts.push(line.text);
  }
  return [...entries.values()];
}
