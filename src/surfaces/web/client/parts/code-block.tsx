import { type CodeSpan, codeLines } from "./code-lines.ts";
import { TextBox } from "./text-box.tsx";

interface CodeBlockProps {
  readonly text: string;
  readonly firstLine: number;
  readonly spans?: readonly CodeSpan[];
  readonly words?: readonly string[];
  /** Only these lines, counted from 0. */
  readonly range?: readonly [number, number];
  readonly label: string;
}

/** Source code with line numbers. Every piece is a text node: nothing in it can become markup. */
export function CodeBlock({ text, firstLine, spans = [], words = [], range, label }: CodeBlockProps) {
  const lines = codeLines(text, spans, words);
  const [from, to] = range ?? [0, lines.length];
  return (
    <TextBox class="code" label={label}>
      {lines.slice(from, to).map((pieces, at) => (
        <div key={at} class={pieces.some(({ isMatch }) => isMatch) ? "line matching" : "line"}>
          <span class="line-number" data-line={firstLine + from + at} />
          <code>
            {pieces.map(({ text: part, kind, isMatch }, place) => {
              const piece = (
                <span key={place} class={kind === "" ? undefined : `code-${kind}`}>
                  {part}
                </span>
              );
              return isMatch ? <mark key={place}>{piece}</mark> : piece;
            })}
            {"\n"}
          </code>
        </div>
      ))}
    </TextBox>
  );
}
