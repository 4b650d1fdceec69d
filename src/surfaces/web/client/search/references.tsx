import { useState } from "preact/hooks";
import { callTool, hasTool, messageOf } from "../app/api.ts";
import type { ExplainedHit } from "./search-request.ts";

interface ReferenceLine {
  readonly path: string;
  readonly line: number;
  readonly text?: string;
  readonly confidence?: string;
}

/** Where a symbol is used, if the server can tell. */
export function References({ hit }: { readonly hit: ExplainedHit }) {
  const [found, setFound] = useState<readonly ReferenceLine[] | string | undefined>(undefined);
  if (!hasTool("find_references") || hit.symbol.name === "") return null;
  const find = () =>
    callTool<unknown>("find_references", { name: hit.symbol.name, path: hit.file.path }).then(
      (answer) => setFound(linesIn(answer)),
      (thrown: unknown) => setFound(messageOf(thrown)),
    );
  if (found === undefined)
    return (
      <button type="button" class="quiet" onClick={find}>
        References
      </button>
    );
  if (typeof found === "string") return <span class="faint">{found}</span>;
  return (
    <ul class="references" aria-label={`References to ${hit.symbol.name}`}>
      {found.length === 0 && <li class="faint">No references.</li>}
      {found.map(({ path, line, text = "", confidence }) => (
        <li key={`${path}:${line}`}>
          <span class="path">
            {path}:{line}
          </span>{" "}
          <code>{text}</code> {confidence !== undefined && <span class="faint">{confidence}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The first list of places in the answer. */
function linesIn(answer: unknown): readonly ReferenceLine[] {
  if (typeof answer !== "object" || answer === null) return [];
  const lists = [answer, ...Object.values(answer)].filter((value) => Array.isArray(value));
  return lists[0]?.filter(isReference) ?? [];
}

const isReference = (value: unknown): value is ReferenceLine =>
  typeof value === "object" && value !== null && "path" in value && "line" in value;
