const SPAN = "(?<!`)(`+)(?!`)(?:.*?[^`])\\1(?!`)";
const MARK = "(?<![\\p{L}\\p{N}])@(?=[~./\\\\]|[^\\s`]*[./\\\\][^\\s`])";
const CODE = new RegExp(SPAN, "gu");
const ANY_MARK = new RegExp(MARK, "gu");
const CODE_OR_MARK = new RegExp(`${SPAN}|${MARK}`, "gu");

/** Clients put a file, whosever it is, in the place of `@path` outside code; a space between the two ends that. */
export const withoutIncludes = (text: string): string =>
  text
    .split(/(\n\s*\n)/)
    .map((paragraph) =>
      isClear(paragraph)
        ? paragraph.replaceAll(CODE_OR_MARK, (found) => (found === "@" ? "@ " : found))
        : paragraph.replaceAll(ANY_MARK, "@ "),
    )
    .join("");

/** True where every mark of code has its partner on its line: else readers differ about what is code. */
const isClear = (paragraph: string): boolean =>
  !paragraph.includes("\\`") && !paragraph.replaceAll(CODE, "").includes("`");
