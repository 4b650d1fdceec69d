import type { Node } from "web-tree-sitter";
import type { ParsedImport, ReferenceRules } from "../../references/references.ts";

export const goReferences: ReferenceRules = {
  self: [],
  isHoisted: false,
  builtins: new Set(
    (
      "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string " +
      "uint uint8 uint16 uint32 uint64 uintptr append cap copy delete len make new panic recover true false nil iota _"
    ).split(" "),
  ),
  patterns: [
    "[(identifier) (package_identifier)] @name",
    "(type_identifier) @type",
    "(field_identifier) @member",
    "(package_clause (package_identifier) @skip)",
    "(function_declaration name: (_) @definition)",
    "(method_declaration name: (_) @definition)",
    "[(type_spec name: (_) @local) (type_alias name: (_) @local)]",
    "(const_spec name: (_) @local)",
    "(var_spec name: (_) @local type: (_)? @typed value: (expression_list . (_) @value)?)",
    "(field_declaration name: (_) @definition)",
    "(method_elem name: (_) @definition)",
    "(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @typed body: (literal_value (keyed_element . (literal_element (identifier) @member))))",
    "(parameter_declaration name: (identifier) @local type: (_) @typed)",
    "(variadic_parameter_declaration name: (identifier) @local)",
    "(type_parameter_declaration name: (identifier) @parameter)",
    "(method_declaration receiver: (parameter_list (parameter_declaration type: (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @parameter))))))",
    "(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @parameter)))))))",
    "(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . (_) @value)) @late",
    "(short_var_declaration left: (expression_list (_) (identifier) @local)) @late",
    "(range_clause left: (expression_list (identifier) @local))",
    "(receive_statement left: (expression_list (identifier) @local))",
    "(type_switch_statement alias: (expression_list (identifier) @local))",
    "(field_declaration !name type: (type_identifier) @inherit)",
    "(field_declaration !name type: (qualified_type name: (type_identifier) @inherit))",
    "(interface_type (type_elem (type_identifier) @inherit))",
    "[(function_declaration) (method_declaration) (func_literal)] @function",
    "[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement)] @scope",
    "[(expression_case) (default_case) (type_case) (communication_case) (function_type) (method_elem)] @scope",
    "(type_declaration (type_spec type_parameters: (_))) @scope",
    "(import_spec) @import",
  ],
  importsOf,
  typeName: (text) => /^\**([\p{L}_][\p{L}\p{N}_.]*)(?:\[|$)/u.exec(text)?.[1],
};

function importsOf(node: Node): readonly ParsedImport[] {
  const from = node.childForFieldName("path")?.text.slice(1, -1) ?? "";
  const alias = node.childForFieldName("name")?.text;
  if (alias === "_") return [];
  return [alias === "." ? { local: "", from, name: "*" } : { local: alias ?? packageOf(from), from }];
}

/** The usual name of a package, by its path: `v2` and `yaml.v3` are versions. */
function packageOf(path: string): string {
  const parts = path.split("/").filter((part) => !/^v\d+$/.test(part));
  return (parts.at(-1) ?? path).replace(/\.v\d+$/, "").replace(/^go-|-go$/g, "");
}
