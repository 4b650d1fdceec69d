import { useState } from "preact/hooks";
import { callTool, hasTool, messageOf } from "../app/api.ts";
import { counted } from "../app/format.ts";
import type { ExplainedHit } from "./search-request.ts";

interface UsesAnswer {
  readonly files: readonly {
    readonly path: string;
    readonly references: readonly {
      readonly line: number;
      readonly text: string;
      readonly confidence: string;
    }[];
  }[];
  readonly total: number;
}
interface CallersAnswer {
  readonly roots: readonly {
    readonly calls: readonly {
      readonly name: string;
      readonly path: string;
      readonly line: number;
      readonly at?: number;
      readonly text: string;
      readonly confidence?: string;
    }[];
  }[];
}
interface UseRow {
  readonly place: string;
  readonly text: string;
  readonly note: string;
}

const QUESTIONS = {
  References: { tool: "find_references", rows: (answer: UsesAnswer & CallersAnswer) => usesOf(answer) },
  Callers: { tool: "call_graph", rows: (answer: UsesAnswer & CallersAnswer) => callersOf(answer) },
} as const;
type UsesQuestion = keyof typeof QUESTIONS;

/** Where a symbol is used and who calls it, if the server can tell. */
export function References({ hit }: { readonly hit: ExplainedHit }) {
  const [found, setFound] = useState<
    { question: string; rows: readonly UseRow[]; problem?: string } | undefined
  >();
  const { name, parent } = hit.symbol;
  if (name === "") return null;
  const ask = (question: UsesQuestion) => {
    const { tool, rows } = QUESTIONS[question];
    callTool<UsesAnswer & CallersAnswer>(tool, {
      symbol: parent === undefined ? name : `${parent}.${name}`,
      ...(hit.project !== undefined && { project: hit.project }),
    }).then(
      (answer) => setFound({ question, rows: rows(answer) }),
      (thrown: unknown) => setFound({ question, rows: [], problem: messageOf(thrown) }),
    );
  };
  return (
    <>
      {(["References", "Callers"] as const)
        .filter((question) => hasTool(QUESTIONS[question].tool))
        .map((question) => (
          <button key={question} type="button" class="quiet" onClick={() => ask(question)}>
            {question}
          </button>
        ))}
      {found && (
        <ul class="references" aria-label={`${found.question} of ${name}`}>
          <li class="faint">{found.problem ?? counted(found.rows.length, "place")}</li>
          {found.rows.map(({ place, text, note }) => (
            <li key={`${place} ${text}`}>
              <span class="path">{place}</span> <code>{text.trim()}</code> <span class="faint">{note}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const usesOf = ({ files }: UsesAnswer): UseRow[] =>
  files.flatMap(({ path, references }) =>
    references.map(({ line, text, confidence }) => ({ place: `${path}:${line}`, text, note: confidence })),
  );

const callersOf = ({ roots }: CallersAnswer): UseRow[] =>
  roots.flatMap(({ calls }) =>
    calls.map(({ name, path, line, at, text, confidence = "" }) => ({
      place: `${path}:${at ?? line}`,
      text: text || name,
      note: confidence,
    })),
  );
