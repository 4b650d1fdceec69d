import type { Node } from "web-tree-sitter";
import { commentText } from "../../comments.ts";
import { defineLanguage } from "../../language.ts";
import type { Declaration, ExportedName, Holder, MemberNames, Place, Rules } from "../../rules.ts";
import { rustModules } from "./modules.ts";
import { rustReferences } from "./references.ts";
import { type UsedName, usedNames } from "./uses.ts";

const KINDS: Readonly<Record<string, string>> = {
  struct_item: "struct",
  union_item: "struct",
  enum_item: "enum",
  type_item: "type",
  associated_type: "type",
  const_item: "const",
  static_item: "var",
  macro_definition: "macro",
};

const HOLDING = new Set(["struct", "enum"]);

const rustRules: Rules = {
  comments: new Set(["line_comment", "block_comment"]),
  between: new Set(["attribute_item"]),
  commentStarts: /\/[/*]/,
  header(node, type) {
    if (type === "extern_crate_declaration") return { imports: [node.childForFieldName("name")?.text ?? ""] };
    return type === "use_declaration"
      ? { imports: [node.childForFieldName("argument")?.text ?? ""] }
      : undefined;
  },
  exports: (nodes) => ({
    names: nodes.flatMap((node) => {
      const used =
        node.type === "use_declaration" && isPublic(node) ? node.childForFieldName("argument") : null;
      return used ? usedNames(used).map((one) => exportedName(one, node.startPosition.row + 1)) : [];
    }),
  }),
  fileDoc: (_root, comments) =>
    commentText(comments.map((comment) => comment.text).filter((text) => /^\/[/*]!/.test(text))),
  declares(node, type, place) {
    switch (type) {
      case "function_item":
      case "function_signature_item":
        return [item(node, place.parent === undefined ? "function" : "method", place)];
      case "trait_item":
        return [{ ...item(node, "interface", place), members: node.childForFieldName("body") }];
      case "mod_item":
        return moduleItem(node, place);
      case "impl_item":
        return {
          inside: node.childForFieldName("body")?.children ?? [],
          parent: baseName(node.childForFieldName("type")?.text ?? ""),
        };
      case "field_declaration":
        return memberName(node, "field", isPublic(node));
      case "enum_variant":
        return memberName(node, "const", true);
      case "foreign_mod_item":
        return { inside: node.childForFieldName("body")?.children ?? [] };
      default: {
        const kind = KINDS[type];
        if (kind === undefined) return undefined;
        const members = HOLDING.has(kind) ? node.childForFieldName("body") : null;
        return [{ ...item(node, kind, place), members }];
      }
    }
  },
};

function item(node: Node, kind: string, place: Place): Declaration {
  const body = node.childForFieldName("body") ?? (isLong(node) ? node.childForFieldName("value") : null);
  return {
    name: node.childForFieldName("name")?.text ?? "",
    kind,
    // `macro_export` lifts a macro out of any module.
    exported: kind === "macro" ? hasAttribute(node, MACRO_EXPORT) : isPublic(node) && !place.isHidden,
    isTest: hasAttribute(node, TEST) || hasAttribute(node, FOR_TESTS),
    body: kind === "macro" ? (node.namedChild(1) ?? null) : body,
  };
}

const memberName = (node: Node, kind: string, exported: boolean): MemberNames => ({
  names: [{ name: node.childForFieldName("name")?.text ?? "", kind, exported }],
});

/** Declarations of an inline module stand in the file as any others. */
function moduleItem(node: Node, place: Place): Holder | undefined {
  const body = node.childForFieldName("body");
  if (!body) return undefined;
  const isForTests = hasAttribute(node, FOR_TESTS);
  const isHidden = place.isHidden === true || !isPublic(node) || isForTests;
  const isTest = place.isTest === true || isForTests || node.childForFieldName("name")?.text === "tests";
  return { inside: body.children, isHidden, isTest };
}

const MACRO_EXPORT = /^#\[\s*macro_export\b/;
/** Also those of other crates, such as `tokio::test` and `rstest`. */
const TEST = /^#\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case|quickcheck|bench)\s*[\](]/;
const FOR_TESTS = /^#\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b/;

function hasAttribute(node: Node, written: RegExp): boolean {
  let above = node.previousSibling;
  while (above?.type === "attribute_item" || above?.type.endsWith("_comment")) {
    if (written.test(above.text)) return true;
    above = above.previousSibling;
  }
  return false;
}

/** `pub(crate)` and the like are for the crate's own use. */
const isPublic = (node: Node) => {
  const first = node.namedChild(0);
  return first?.type === "visibility_modifier" && first.text === "pub";
};

const exportedName = ({ name, alias, path }: UsedName, line: number): ExportedName => ({
  name: alias,
  declared: name,
  ...(path.length > 0 && { from: path.join("::") }),
  line,
});

const isLong = (node: Node) => node.endIndex - node.startIndex > 120;
const baseName = (type: string) => /(\w+)\s*(?:<|$)/.exec(type)?.[1] ?? type;

export const rust = defineLanguage({
  id: "rust",
  name: "Rust",
  extensions: ["rs"],
  grammar: "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm",
  rules: rustRules,
  references: rustReferences,
  modules: rustModules,
});
