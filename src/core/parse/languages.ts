import type { Rules } from "./rules.ts";

export type LanguageId = "go" | "typescript" | "tsx" | "javascript" | "python" | "rust" | "java";

interface LanguageEntry {
  /** The grammar's name in the package of grammars. */
  readonly grammar: string;
  readonly extensions: readonly string[];
  rules(): Promise<Rules>;
}

const ecmaScript = async () => (await import("./languages/typescript/rules.ts")).typescriptRules;

/** A language is one row here and one file of rules. */
export const LANGUAGES = {
  go: {
    grammar: "go",
    extensions: ["go"],
    rules: async () => (await import("./languages/go/index.ts")).goRules,
  },
  typescript: { grammar: "typescript", extensions: ["ts", "mts", "cts"], rules: ecmaScript },
  tsx: { grammar: "tsx", extensions: ["tsx"], rules: ecmaScript },
  javascript: { grammar: "javascript", extensions: ["js", "mjs", "cjs", "jsx"], rules: ecmaScript },
  python: {
    grammar: "python",
    extensions: ["py", "pyi"],
    rules: async () => (await import("./languages/python/index.ts")).pythonRules,
  },
  rust: {
    grammar: "rust",
    extensions: ["rs"],
    rules: async () => (await import("./languages/rust/index.ts")).rustRules,
  },
  java: {
    grammar: "java",
    extensions: ["java"],
    rules: async () => (await import("./languages/java/index.ts")).javaRules,
  },
} as const satisfies Record<LanguageId, LanguageEntry>;

/** By the file's extension; `undefined` for every other file. */
export function languageOf(path: string): LanguageId | undefined {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? undefined : BY_EXTENSION.get(path.slice(dot + 1).toLowerCase());
}

const BY_EXTENSION: ReadonlyMap<string, LanguageId> = new Map(
  (Object.keys(LANGUAGES) as LanguageId[]).flatMap((id) =>
    LANGUAGES[id].extensions.map((extension): [string, LanguageId] => [extension, id]),
  ),
);
