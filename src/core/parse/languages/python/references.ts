import type { Node } from "web-tree-sitter";
import type { ParsedImport, ReferenceRules } from "../../references/references.ts";

export const pythonReferences: ReferenceRules = {
  self: ["self", "cls"],
  isHoisted: true,
  memberBefore: /(?:[^.]|^)\.$/,
  builtins: new Set(
    (
      "int str bool float bytes dict list tuple set object len isinstance print range super enumerate zip hasattr " +
      "getattr setattr property staticmethod classmethod ValueError TypeError KeyError Exception RuntimeError AttributeError"
    ).split(" "),
  ),
  patterns: [
    "(identifier) @name",
    "(attribute attribute: (identifier) @member)",
    "(keyword_argument name: (identifier) @skip)",
    "[(function_definition name: (_) @above) (class_definition name: (_) @above)]",
    "(parameters (identifier) @local)",
    "(lambda_parameters (identifier) @local)",
    "(typed_parameter . (identifier) @local type: (_) @typed)",
    "(default_parameter name: (identifier) @local)",
    "(typed_default_parameter name: (identifier) @local type: (_) @typed)",
    "[(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)]",
    "(assignment left: (identifier) @local type: (_)? @typed right: (_)? @value)",
    "(augmented_assignment left: (identifier) @local)",
    "[(pattern_list (identifier) @local) (tuple_pattern (identifier) @local) (list_pattern (identifier) @local)]",
    "[(for_statement left: (identifier) @local) (for_in_clause left: (identifier) @local)]",
    "(as_pattern (_) @value alias: (as_pattern_target (identifier) @local))",
    "(named_expression name: (identifier) @local)",
    "[(global_statement (identifier) @global) (nonlocal_statement (identifier) @global)]",
    "(class_definition superclasses: (argument_list (identifier) @inherit))",
    "(class_definition superclasses: (argument_list (attribute attribute: (identifier) @inherit)))",
    "(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))",
    "[(function_definition) (lambda)] @function",
    "[(list_comprehension) (generator_expression) (set_comprehension) (dictionary_comprehension)] @scope",
    "(class_definition name: (_) @owner) @class",
    "[(import_statement) (import_from_statement)] @import",
  ],
  importsOf,
  typeName: (text) =>
    /^["']?(?:Optional\[)?([\p{L}_][\p{L}\p{N}_.]*)\]?["']?(?:\s*\|\s*None)?$/u.exec(text.trim())?.[1],
};

function importsOf(node: Node): readonly ParsedImport[] {
  const names = node.childrenForFieldName("name");
  if (node.type === "import_statement") {
    return names.map((name) => {
      const from = name.childForFieldName("name")?.text ?? name.text;
      const alias = name.childForFieldName("alias")?.text;
      // `import a.b` gives the name `a`, which leads to `b`.
      const [top = from] = from.split(".");
      return alias === undefined
        ? { local: top, from: top, isExport: true }
        : { local: alias, from, isExport: true };
    });
  }
  const from = node.childForFieldName("module_name")?.text ?? "";
  if (node.namedChildren.some(({ type }) => type === "wildcard_import"))
    return [{ local: "", from, name: "*", isExport: true }];
  return names.map((written) => {
    const name = written.childForFieldName("name")?.text ?? written.text;
    return { local: written.childForFieldName("alias")?.text ?? name, from, name, isExport: true };
  });
}
