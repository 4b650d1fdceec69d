import type { Node } from "web-tree-sitter";
import type { ParsedImport, ReferenceRules } from "../../references/references.ts";

export const javaReferences: ReferenceRules = {
  self: ["this"],
  isHoisted: false,
  patterns: [
    "(identifier) @name",
    "(type_identifier) @type",
    "[(class_declaration name: (_) @definition) (interface_declaration name: (_) @definition) (enum_declaration name: (_) @definition)]",
    "[(record_declaration name: (_) @definition) (annotation_type_declaration name: (_) @definition)]",
    "[(method_declaration name: (_) @definition) (constructor_declaration name: (_) @definition) (compact_constructor_declaration name: (_) @definition)]",
    "[(enum_constant name: (_) @definition) (annotation_type_element_declaration name: (_) @definition)]",
    "(field_declaration declarator: (variable_declarator name: (_) @definition))",
    "(constant_declaration declarator: (variable_declarator name: (_) @definition))",
    "(local_variable_declaration type: (_) @typed declarator: (variable_declarator name: (_) @local))",
    "(formal_parameter type: (_) @typed name: (_) @local)",
    "(spread_parameter (variable_declarator name: (_) @local))",
    "(catch_formal_parameter name: (_) @local)",
    "(enhanced_for_statement type: (_) @typed name: (_) @local)",
    "(resource type: (_) @typed name: (_) @local)",
    "[(inferred_parameters (identifier) @local) (lambda_expression parameters: (identifier) @local)]",
    "(instanceof_expression name: (identifier) @local)",
    "(type_parameter (type_identifier) @parameter)",
    "(element_value_pair key: (identifier) @skip)",
    "[(superclass (type_identifier) @inherit) (superclass (generic_type (type_identifier) @inherit))]",
    "[(super_interfaces (type_list (type_identifier) @inherit)) (super_interfaces (type_list (generic_type (type_identifier) @inherit)))]",
    "[(extends_interfaces (type_list (type_identifier) @inherit)) (extends_interfaces (type_list (generic_type (type_identifier) @inherit)))]",
    "[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression) (static_initializer)] @function",
    "[(block) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement) (switch_block)] @scope",
    "[(class_declaration name: (_) @owner) (interface_declaration name: (_) @owner) (enum_declaration name: (_) @owner) (record_declaration name: (_) @owner)] @class",
    "[(package_declaration) (import_declaration)] @import",
  ],
  importsOf,
  typeName: (text) => /^(?:@\w+\s+)*([\p{L}_$][\p{L}\p{N}_$.]*)(?:<.*>)?$/su.exec(text.trim())?.[1],
};

/** A static import names a member of a class. */
function importsOf(node: Node): readonly ParsedImport[] {
  if (node.type !== "import_declaration") return [];
  const path =
    node.namedChildren.find(({ type }) => type === "scoped_identifier" || type === "identifier")?.text ?? "";
  if (node.namedChildren.some(({ type }) => type === "asterisk"))
    return [{ local: "", from: path, name: "*" }];
  const dot = path.lastIndexOf(".");
  const name = path.slice(dot + 1);
  return [{ local: name, from: path.slice(0, Math.max(0, dot)), name }];
}
