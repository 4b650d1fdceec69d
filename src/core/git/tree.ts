export interface TreeEntry {
  /** Relative to the directory git ran in, or to the top, as the command asked. */
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "commit";
  readonly oid: string;
}

/** The mode of a symbolic link: its content is a path, not text. */
export const LINK_MODE = "120000";

/** Parses the output of `ls-tree -r -z`. */
export const parseTree = (output: string): TreeEntry[] =>
  output.split("\0").flatMap((line) => {
    const match = /^(\d{6}) (blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (!match) return [];
    const [, mode = "", type, oid = "", name = ""] = match;
    return [{ path: name, mode, type: type === "commit" ? "commit" : "blob", oid } as const];
  });
