import { DomainError } from "../../../core/errors.ts";
import { compileGlob, type PathTest } from "../../../core/scan/glob.ts";

/** Which paths a caller's pattern means: a glob from the root, or a directory with everything below it. */
export function filePattern(pattern: string): PathTest {
  try {
    return testOf(pattern.replace(/^(?:\.\/+)+/, ""));
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    throw new DomainError("invalid_input", thrown.message, {
      reason: "malformed_filter",
      details: { param: "filters" },
    });
  }
}

function testOf(glob: string): PathTest {
  const directory = glob.replace(/\/+$/, "");
  if (directory === "" || directory === ".") return () => true;
  const isBelow = compileGlob(`${directory}/**`);
  if (directory !== glob) return isBelow;
  const isIt = compileGlob(glob);
  return /[*?[{]/.test(glob) ? isIt : (path) => isIt(path) || isBelow(path);
}
