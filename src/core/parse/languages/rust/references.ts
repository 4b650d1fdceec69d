import type { ParsedImport, ReferenceRules } from "../../references/references.ts";
import { type UsedName, usedNames } from "./uses.ts";

export const rustReferences: ReferenceRules = {
  self: ["self", "Self"],
  isHoisted: false,
  hasUpperCaseConstants: true,
  builtins: new Set(["Some", "None", "Ok", "Err", "Option", "Result", "Vec", "String", "Box", "derive"]),
  patterns: [
    "[(identifier) (shorthand_field_identifier)] @name",
    "(type_identifier) @type",
    "(field_identifier) @member",
    "[(function_item name: (_) @above) (function_signature_item name: (_) @above)]",
    "[(struct_item name: (_) @definition) (enum_item name: (_) @definition) (union_item name: (_) @definition)]",
    "[(trait_item name: (_) @definition) (type_item name: (_) @definition) (associated_type name: (_) @definition)]",
    "[(const_item name: (_) @local) (static_item name: (_) @local)]",
    "[(mod_item name: (_) @definition) (macro_definition name: (_) @definition)]",
    "[(enum_variant name: (_) @definition) (field_declaration name: (_) @definition)]",
    "(field_initializer field: (_) @member)",
    "(parameter pattern: (identifier) @local type: (_) @typed)",
    "(parameter pattern: (mut_pattern (identifier) @local) type: (_) @typed)",
    "(let_declaration pattern: (identifier) @local type: (_)? @typed value: (_)? @value) @late",
    "(let_declaration pattern: (mut_pattern (identifier) @local) type: (_)? @typed value: (_)? @value) @late",
    "(closure_parameters (identifier) @local)",
    "(for_expression pattern: (identifier) @local)",
    "[(tuple_pattern (identifier) @local) (slice_pattern (identifier) @local) (reference_pattern (identifier) @local)]",
    "[(mut_pattern (identifier) @local) (ref_pattern (identifier) @local) (captured_pattern . (identifier) @local)]",
    "(tuple_struct_pattern type: (_) (identifier) @local)",
    "(match_pattern (identifier) @local)",
    "[(field_pattern name: (shorthand_field_identifier) @local) (field_pattern pattern: (identifier) @local)]",
    "(type_parameters (type_parameter name: (_) @parameter))",
    "(lifetime (identifier) @skip)",
    "(impl_item trait: (type_identifier) @inherit)",
    "(impl_item trait: (generic_type type: (type_identifier) @inherit))",
    "(impl_item trait: (scoped_type_identifier name: (type_identifier) @inherit))",
    "(trait_bounds (type_identifier) @inherit)",
    "[(function_item) (closure_expression)] @function",
    "[(block) (match_arm) (for_expression) (if_expression) (while_expression) (function_signature_item)] @scope",
    "[(struct_item) (enum_item) (type_item)] @scope",
    "[(impl_item type: (_) @owner) (trait_item name: (_) @owner)] @class",
    "[(use_declaration) (extern_crate_declaration)] @import",
  ],
  importsOf: (node) => {
    const used = node.childForFieldName("argument");
    const isExport = node.namedChild(0)?.type === "visibility_modifier";
    return used ? usedNames(used).map((one) => ({ ...importOf(one), ...(isExport && { isExport }) })) : [];
  },
  typeName: (text) =>
    /^(?:&\s*(?:'\w+\s*)?)?(?:mut\s+)?(?:dyn\s+|impl\s+)?([\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*)(?:<|$)/u
      .exec(text.trim())?.[1]
      ?.replaceAll("::", "."),
};

const importOf = ({ name, alias, path }: UsedName): ParsedImport =>
  // A name without a path is a crate.
  path.length === 0 && name === alias
    ? { local: name, from: name }
    : { local: name === "*" ? "" : alias, from: path.join("::"), name };
