import type { Node } from "web-tree-sitter";
import type { OpenGrammar } from "../../core/parse/grammar.ts";
import { languageById } from "../../core/parse/languages.ts";
import { isNestedTooDeeply, languageOf } from "../../core/parse/parse.ts";

/** From, to (in code units) and the kind of text. */
type HighlightSpan = [number, number, string];

const grammars = new Map<string, Promise<OpenGrammar>>();

/** Colours for a source text, by the leaves of its syntax tree. A language without a grammar has none. */
export async function highlight({ path, text }: { path: string; text: string }): Promise<HighlightSpan[]> {
  const id = languageOf(path);
  const language = id === undefined ? undefined : languageById(id);
  if (language === undefined || !("grammar" in language) || isNestedTooDeeply(text)) return [];
  const known = grammars.get(language.grammar);
  const opening =
    known ?? import("../../core/parse/grammar.ts").then(({ openGrammar }) => openGrammar(language.grammar));
  if (!known) grammars.set(language.grammar, opening);
  const { parse } = await opening;
  try {
    return parse(text, spansOf) ?? [];
  } catch (thrown) {
    // A text without colours is readable; a hostile text must not stop the others.
    if (thrown instanceof RangeError || (thrown instanceof Error && thrown.name === "RuntimeError"))
      return [];
    throw thrown;
  }
}

/** Whole nodes of these kinds have one colour; the names are those of nearly all grammars. */
const WHOLE: readonly (readonly [RegExp, string])[] = [
  [/comment/, "comment"],
  [
    /string_content|string_fragment|string_literal|char_literal|^string$|raw_string|rune_literal|escape_sequence|regex_pattern/,
    "string",
  ],
];
const LEAF: readonly (readonly [RegExp, string])[] = [
  [/^(int|float|number|integer|decimal|imaginary|numeric|real)|number_literal|_literal$/, "number"],
  [/^(true|false|nil|null|none|undefined|self|this|super)$/i, "constant"],
  [/type_identifier|primitive_type|predefined_type|builtin_type|integral_type|void_type|simple_type/, "type"],
  [/property_identifier|field_identifier|shorthand_property|^key$/, "property"],
  [/heading|^title/, "keyword"],
];
const CALLEES =
  /^(call|call_expression|function_call|method_invocation|invocation_expression|function_declaration|function_definition|method_declaration|method_definition|function_item|macro_invocation|method)$/;

function spansOf(root: Node): HighlightSpan[] {
  const spans: HighlightSpan[] = [];
  const cursor = root.walk();
  const visit = (): void => {
    const { nodeType, startIndex, endIndex } = cursor;
    const whole = cursor.nodeIsNamed ? WHOLE.find(([pattern]) => pattern.test(nodeType))?.[1] : undefined;
    if (whole !== undefined) {
      spans.push([startIndex, endIndex, whole]);
      return;
    }
    if (cursor.gotoFirstChild()) {
      do visit();
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
      return;
    }
    const kind = leafKind(cursor.currentNode, cursor.nodeIsNamed);
    if (kind !== undefined && endIndex > startIndex) spans.push([startIndex, endIndex, kind]);
  };
  visit();
  cursor.delete();
  return spans;
}

function leafKind(node: Node, isNamed: boolean): string | undefined {
  // An unnamed leaf that is a word is a keyword of the language.
  if (!isNamed) return /^[a-z_]+$/i.test(node.type) ? "keyword" : undefined;
  const kind = LEAF.find(([pattern]) => pattern.test(node.type))?.[1];
  if (kind !== undefined && kind !== "property") return kind;
  const isCallee = [node.parent, node.parent?.parent].some(
    (above) =>
      above != null &&
      CALLEES.test(above.type) &&
      ["name", "function", "method", "macro"].some((field) => {
        const named = above.childForFieldName(field);
        return named !== null && named.startIndex <= node.startIndex && named.endIndex === node.endIndex;
      }),
  );
  return isCallee ? "function" : kind;
}
