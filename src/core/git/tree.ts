export interface TreeEntry {
  /** As git was asked for it: relative to the directory it ran in, or to the top. */
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "commit";
  readonly oid: string;
}

/** Its content is a path, not a text. */
export const LINK_MODE = "120000";

/** What `ls-tree -r -z` printed. */
export const parseTree = (output: string): TreeEntry[] =>
  output.split("\0").flatMap((line) => {
    const match = /^(\d{6}) (blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (!match) return [];
    const [, mode = "", type, oid = "", name = ""] = match;
    return [{ path: name, mode, type: type === "commit" ? "commit" : "blob", oid } as const];
  });
