import type { ReferenceRules } from "../../references/references.ts";
import { importsOf } from "./imports.ts";

const SCRIPT_PATTERNS = [
  "[(identifier) (shorthand_property_identifier)] @name",
  "[(property_identifier) (private_property_identifier)] @member",
  "[(function_declaration name: (_) @above) (generator_function_declaration name: (_) @above)]",
  "[(function_expression name: (_) @local) (generator_function name: (_) @local)]",
  "(class_declaration name: (_) @above)",
  "(method_definition name: (_) @definition)",
  "(export_specifier alias: (identifier) @skip)",
  "(lexical_declaration (variable_declarator name: (identifier) @local value: (_)? @value))",
  "(variable_declaration (variable_declarator name: (identifier) @hoisted value: (_)? @value))",
  "(arrow_function parameter: (identifier) @local)",
  "(catch_clause parameter: (identifier) @local)",
  "(for_in_statement left: (identifier) @local)",
  "[(array_pattern (identifier) @local) (rest_pattern (identifier) @local)]",
  "(object_pattern (shorthand_property_identifier_pattern) @local)",
  "(pair_pattern value: (identifier) @local)",
  "(assignment_pattern left: (identifier) @local)",
  "(pair_pattern value: (assignment_pattern left: (identifier) @local))",
  "(object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)",
  "[(function_declaration) (generator_function_declaration) (function_expression) (generator_function)] @function",
  "[(arrow_function) (method_definition)] @function",
  "[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope",
  "(import_statement) @import",
  "(export_statement) @export",
  '(variable_declarator value: [(call_expression function: (identifier) @_require arguments: (arguments . (string))) (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string))))] (#eq? @_require "require")) @export',
  '(assignment_expression left: (member_expression) @_exports right: (_) (#match? @_exports "^(module[.])?exports\\\\b")) @export',
];

const JSX_PATTERNS = [
  "(jsx_attribute (property_identifier) @skip)",
  '([(jsx_opening_element name: (identifier) @skip) (jsx_closing_element name: (identifier) @skip) (jsx_self_closing_element name: (identifier) @skip)] (#match? @skip "^[a-z]"))',
];

const JAVASCRIPT_PATTERNS = [
  ...SCRIPT_PATTERNS,
  ...JSX_PATTERNS,
  "(formal_parameters (identifier) @local)",
  "(field_definition property: (property_identifier) @definition)",
  "(class_heritage (identifier) @inherit)",
  "(class_heritage (member_expression property: (property_identifier) @inherit))",
  "(class_declaration name: (_) @owner) @class",
  "(class) @class",
];

const TYPESCRIPT_PATTERNS = [
  ...SCRIPT_PATTERNS,
  "(type_identifier) @type",
  "(lexical_declaration (variable_declarator name: (identifier) @local type: (_) @typed))",
  "(required_parameter pattern: (identifier) @local type: (_)? @typed)",
  "(optional_parameter pattern: (identifier) @local type: (_)? @typed)",
  "(type_parameter name: (_) @parameter)",
  "[(abstract_class_declaration name: (_) @above) (interface_declaration name: (_) @above) (type_alias_declaration name: (_) @above)]",
  "[(enum_declaration name: (_) @local) (internal_module name: (_) @local) (function_signature name: (_) @above)]",
  "[(public_field_definition name: (_) @definition) (property_signature name: (_) @definition) (method_signature name: (_) @definition) (abstract_method_signature name: (_) @definition)]",
  "[(enum_assignment name: (_) @definition) (enum_body (property_identifier) @definition)]",
  "(extends_clause value: (identifier) @inherit)",
  "(extends_clause value: (member_expression property: (property_identifier) @inherit))",
  "[(implements_clause (type_identifier) @inherit) (extends_type_clause (type_identifier) @inherit)]",
  "[(implements_clause (generic_type name: (type_identifier) @inherit)) (extends_type_clause (generic_type name: (type_identifier) @inherit))]",
  "[(class_declaration name: (_) @owner) (abstract_class_declaration name: (_) @owner)] @class",
  "(class) @class",
  "[(interface_declaration) (type_alias_declaration) (function_signature) (method_signature) (function_type) (constructor_type) (abstract_method_signature) (call_signature) (construct_signature) (conditional_type) (mapped_type_clause) (index_signature)] @scope",
  "(mapped_type_clause name: (_) @local)",
  "(infer_type (type_identifier) @local)",
  "(index_signature name: (_) @local)",
  "(import_alias) @import",
];

const rules: Omit<ReferenceRules, "patterns"> = {
  self: ["this"],
  isHoisted: true,
  importsOf,
  typeName: (text) =>
    /^:?\s*(?:Promise<)?([\p{L}_$][\p{L}\p{N}_$.]*)(?:<.*>|>)?(?:\s*\|\s*(?:undefined|null))*$/u.exec(
      text.trim(),
    )?.[1],
};

export const typescriptReferences: ReferenceRules = { ...rules, patterns: TYPESCRIPT_PATTERNS };
export const tsxReferences: ReferenceRules = {
  ...rules,
  patterns: [...TYPESCRIPT_PATTERNS, ...JSX_PATTERNS],
};
export const javascriptReferences: ReferenceRules = { ...rules, patterns: JAVASCRIPT_PATTERNS };
