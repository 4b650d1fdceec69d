import type { Node } from "web-tree-sitter";

export interface UsedName {
  /** `*` for all names of the path. */
  readonly name: string;
  readonly alias: string;
  readonly path: readonly string[];
}

/** `a::{b, c as d, e::*}` names `b` and `c` of `a`, and all of `a::e`. */
export function usedNames(node: Node, path: readonly string[] = []): readonly UsedName[] {
  const way = [...path, ...(node.childForFieldName("path")?.text.split("::") ?? [])];
  switch (node.type) {
    case "use_list":
      return node.namedChildren.flatMap((child) => usedNames(child, path));
    case "scoped_use_list": {
      const list = node.childForFieldName("list");
      return list ? usedNames(list, way) : [];
    }
    case "use_wildcard":
      return [used("*", [...path, ...(node.namedChild(0)?.text.split("::") ?? [])])];
    case "use_as_clause":
      return [used(way.at(-1) ?? "", way.slice(0, -1), node.childForFieldName("alias")?.text)];
    case "self":
      return [used(path.at(-1) ?? "", path.slice(0, -1))];
    case "scoped_identifier":
      return [used(node.childForFieldName("name")?.text ?? "", way)];
    case "identifier":
    case "crate":
      return [used(node.text, path)];
    default:
      return [];
  }
}

const used = (name: string, path: readonly string[], alias = name): UsedName => ({ name, alias, path });
