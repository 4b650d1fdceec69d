/** The words of a comment without its marks: `//`, `///`, `//!`, `#`, and starred blocks. */
export function commentText(comments: readonly string[]): string {
  const written = comments.filter((comment) => !comment.startsWith("#!/"));
  // Rust's grammar counts the line's end to the comment.
  return trimmedLines(written.flatMap((comment) => comment.trimEnd().split(/\r?\n/).map(withoutMarks)));
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\/)|#+!?)?[ \t]?/, "")
    .replace(/\s*\*+\/\s*$/, "")
    .trimEnd();
}

/** Without blank lines at both ends, and never two of them together. */
export function trimmedLines(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

const MARKS_BEFORE = /^\s*(?:"""|\{-\|?|\(\*+|<#|#=|--+|%+|;+|#+['!]?|\/\/[/!]?|\/\*+|\*(?![*/]))\s?/;
const MARKS_AFTER = /\s*(?:"""|-\}|\*+\)|#>|=#|\*+\/)\s*$/;

/** The text of comments in a language that is read by patterns; `marks` are what its comments have besides the usual ones. */
export const patternDoc = (comments: readonly string[], marks?: RegExp) =>
  trimmedLines(
    comments
      .filter((line) => !line.startsWith("#!"))
      .map((line) => (marks ? line.replace(marks, "") : line))
      .map((line) => line.replace(MARKS_AFTER, "").replace(MARKS_BEFORE, "").trimEnd()),
  );
