import { useState } from "preact/hooks";
import { replaceParams, route } from "../app/router.ts";
import { DocumentResults } from "../search/document-results.tsx";
import { useResultKeys } from "../search/result-keys.ts";
import { DocumentPane } from "./document-pane.tsx";
import { Sources } from "./sources.tsx";

/** The sources of documents, their last sync, and a search over them. */
export function DocumentsView() {
  const { params } = route.value;
  const id = params.get("id");
  const [query, setQuery] = useState(params.get("q") ?? "");
  useResultKeys();
  return (
    <div class="documents">
      <header class="view-head">
        <h1>Documents</h1>
      </header>
      <Sources />
      <input
        type="search"
        aria-label="Search documents"
        placeholder="Search documents"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          replaceParams("documents", { q: event.currentTarget.value });
        }}
      />
      {query.trim() !== "" && <DocumentResults form={{ query: query.trim(), mode: "hybrid" }} />}
      {id !== null && <DocumentPane id={id} />}
    </div>
  );
}
