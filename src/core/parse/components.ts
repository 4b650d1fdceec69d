import type { DelegatedCode } from "./language.ts";

const OPEN = /^<script\b([^>]*)>/i;
const CLOSE = /<\/script\s*>/i;

/** The `<script>` parts of a component; template and styles are blank lines, so that line numbers stay. */
export function scriptParts(text: string): DelegatedCode | undefined {
  let isScript = false;
  let hasScript = false;
  let isJsx = false;
  const lines = text.split("\n").map((line) => {
    const open = isScript ? undefined : OPEN.exec(line.trimStart());
    if (open) {
      hasScript = true;
      isJsx ||= /\blang\s*=\s*["'](?:tsx|jsx)["']/.test(open[1] ?? "");
      const after = line.trimStart().slice(open[0].length);
      isScript = !CLOSE.test(after);
      return after.replace(CLOSE, "");
    }
    if (!isScript) return "";
    if (!CLOSE.test(line)) return line;
    isScript = false;
    return line.slice(0, CLOSE.exec(line)?.index);
  });
  return hasScript ? { language: isJsx ? "tsx" : "typescript", text: lines.join("\n") } : undefined;
}
