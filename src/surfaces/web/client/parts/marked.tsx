import { codeLines } from "./code-lines.ts";

/** Snippets of documents mark the words themselves. */
export function MarkedSnippet({ text }: { readonly text: string }) {
  return (
    <>{text.split(/>>>(.*?)<<</s).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>
  );
}

/** A text with the words of the question marked. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const lines = codeLines(text, [], words);
  return (
    <>
      {lines.map((pieces, at) => (
        <span key={at}>
          {pieces.map(({ text: part, isMatch }, place) =>
            isMatch ? <mark key={place}>{part}</mark> : <span key={place}>{part}</span>,
          )}
          {at < lines.length - 1 && "\n"}
        </span>
      ))}
    </>
  );
}
