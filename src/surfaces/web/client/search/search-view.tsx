import { useEffect, useRef, useState } from "preact/hooks";
import { replaceParams, route } from "../app/router.ts";
import { needsProject } from "../app/team.ts";
import { EditorChoice } from "../parts/editor-links.tsx";
import { EmptyState } from "../parts/states.tsx";
import { CodeResults } from "./code-results.tsx";
import { DocumentResults } from "./document-results.tsx";
import { MemoryResults } from "./memory-results.tsx";
import { useResultKeys } from "./result-keys.ts";
import { PLACES, SEARCH_MODES, type SearchForm, SYMBOL_KINDS } from "./search-request.ts";

const TYPING_MS = 180;
const PLACE_TITLES = { all: "All", code: "Code", memory: "Memory", documents: "Documents" } as const;

/** One box over code, memory and documents. The address holds the question, so that a search can be linked. */
export function SearchView() {
  const form = formOf(route.value.params);
  const change = (part: Partial<SearchForm>) => replaceParams("search", paramsOf({ ...form, ...part }));
  const isIn = (place: SearchForm["place"]) => form.place === "all" || form.place === place;
  useResultKeys();
  return (
    <div class="search">
      <h1 class="visually-hidden">Search</h1>
      <SearchBar form={form} change={change} />
      {form.query === "" && (
        <EmptyState title="Search code, memory and documents.">
          <p>A name, words, an error message or a question. Results are what an agent would be given.</p>
        </EmptyState>
      )}
      {form.query !== "" && (
        <div class={form.place === "all" ? "search-results with-side" : "search-results"}>
          {isIn("code") && <CodeResults form={form} />}
          {needsProject.value && form.place !== "code" && (
            <p class="faint">Choose a project to search its memory and documents too.</p>
          )}
          {!needsProject.value && (isIn("memory") || isIn("documents")) && (
            <div class="search-side">
              {isIn("memory") && <MemoryResults form={form} />}
              {isIn("documents") && <DocumentResults form={form} />}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

interface SearchBarProps {
  readonly form: SearchForm;
  change(part: Partial<SearchForm>): void;
}

function SearchBar({ form, change }: SearchBarProps) {
  const [typed, setTyped] = useState(form.query);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => setTyped(form.query), [form.query]);
  useEffect(() => {
    const wait = setTimeout(() => typed.trim() !== form.query && change({ query: typed.trim() }), TYPING_MS);
    return () => clearTimeout(wait);
  }, [typed]);
  const send = (event: Event) => {
    event.preventDefault();
    change({ query: typed.trim() });
  };
  return (
    <search>
      <form class="search-bar" onSubmit={send}>
        <input
          ref={input}
          type="search"
          aria-label="Search code, memory and documents"
          placeholder="A name, words, or a question"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <div class="row">
          <fieldset class="segments">
            <legend class="visually-hidden">Where</legend>
            {PLACES.map((place) => (
              <label key={place}>
                <input
                  type="radio"
                  name="place"
                  checked={form.place === place}
                  onChange={() => change({ place })}
                />
                <span>{PLACE_TITLES[place]}</span>
              </label>
            ))}
          </fieldset>
          <Choice label="Mode" value={form.mode} options={SEARCH_MODES} choose={(mode) => change({ mode })} />
          <Choice
            label="Kind"
            value={form.kind}
            options={["", ...SYMBOL_KINDS]}
            choose={(kind) => change({ kind })}
          />
          <label class="quiet-label">
            Files{" "}
            <input
              type="text"
              class="short"
              placeholder="src/**"
              value={form.files}
              onChange={(event) => change({ files: event.currentTarget.value.trim() })}
            />
          </label>
          <EditorChoice />
        </div>
      </form>
    </search>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly T[];
  choose(value: T): void;
}

function Choice<T extends string>({ label, value, options, choose }: ChoiceProps<T>) {
  return (
    <label class="quiet-label">
      {label}{" "}
      <select
        value={value}
        onChange={(event) => choose(options.find((option) => option === event.currentTarget.value) ?? value)}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option || "any"}
          </option>
        ))}
      </select>
    </label>
  );
}

function formOf(params: URLSearchParams): SearchForm {
  return {
    query: params.get("q") ?? "",
    place: PLACES.find((place) => place === params.get("in")) ?? "all",
    mode: SEARCH_MODES.find((mode) => mode === params.get("mode")) ?? "hybrid",
    files: params.get("files") ?? "",
    kind: params.get("kind") ?? "",
  };
}

const paramsOf = ({ query, place, mode, files, kind }: SearchForm) => ({
  q: query,
  in: place === "all" ? "" : place,
  mode: mode === "hybrid" ? "" : mode,
  files,
  kind,
});
