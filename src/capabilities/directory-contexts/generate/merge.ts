import { isDeepStrictEqual } from "node:util";
import { type DirectoryContext, FIELDS, METADATA } from "../schema.ts";
import type { ContextDraft } from "./draft.ts";
import { type ContextChanges, printContext, updateContext } from "./write-context.ts";

/** Text that a model wrote, by field; listed in `derived_fields` as `llm.FIELD`. */
export type ModelFields = Partial<Pick<DirectoryContext, "summary" | "decisions" | "constraints">>;

/** A valid context file as it is on disk. */
export interface ExistingContext {
  readonly text: string;
  readonly context: DirectoryContext;
}
interface MergeInput {
  readonly scope: string;
  readonly fingerprint: string;
  readonly now: string;
  readonly draft: ContextDraft;
  readonly written?: ModelFields;
  readonly existing?: ExistingContext;
}
export interface MergedContext {
  readonly text: string;
  readonly context: DirectoryContext;
  /** Fields left as they are: written by a person, or by a model in a run without one. */
  readonly kept: readonly string[];
}

const DRAFT_FIELDS = [
  "summary",
  "files",
  "maintenance",
  "interfaces",
  "subdirectories",
  "testing",
  "exports",
  "project",
  "structure",
] as const satisfies readonly (keyof ContextDraft)[];
const MODEL_FIELDS = [
  "summary",
  "decisions",
  "constraints",
] as const satisfies readonly (keyof ModelFields)[];
const DEPENDENCIES = ["internal", "external"] as const;

/** Merges a draft into a file. Replaces only fields that are listed in its `derived_fields`. */
export function mergeContext(input: MergeInput): MergedContext {
  const old = input.existing?.context;
  const owned = new Set(old?.derived_fields);
  const derived = new Set<string>(METADATA);
  const changes: Record<string, unknown> = {
    version: 1,
    fingerprint: input.fingerprint,
    scope: input.scope,
  };
  for (const field of new Set([...DRAFT_FIELDS, ...MODEL_FIELDS])) {
    const { name, ...set } = decide(field, input, owned);
    if ("value" in set) changes[field] = set.value;
    if (name !== undefined) derived.add(name);
  }
  changes["dependencies"] = mergeDependencies(input, owned, derived);
  changes["derived_fields"] = inOrder(derived);
  const kept = FIELDS.filter(
    (field) =>
      old?.[field] !== undefined &&
      field !== "derived_fields" &&
      !(field in changes && !isDeepStrictEqual(changes[field], old[field])) &&
      !DEPENDENCIES.some((member) => field === "dependencies" && derived.has(`dependencies.${member}`)) &&
      !derived.has(field),
  );
  return print(input, changes, kept);
}

interface FieldDecision {
  /** Absent if the field stays as it is. */
  readonly value?: unknown;
  /** Its name in `derived_fields`; absent if a person wrote the field. */
  readonly name?: string;
}

/** Unless a person wrote the field: the model's new text, else its earlier text, else the draft. */
function decide(
  field: (typeof DRAFT_FIELDS)[number] | (typeof MODEL_FIELDS)[number],
  { draft, written, existing }: MergeInput,
  owned: ReadonlySet<string>,
): FieldDecision {
  const byModel = `llm.${field}`;
  const isOpen = existing?.context[field] === undefined || owned.has(field) || owned.has(byModel);
  if (!isOpen) return {};
  const text = MODEL_FIELDS.find((each) => each === field);
  if (text !== undefined && written?.[text] !== undefined) return { value: written[text], name: byModel };
  if (owned.has(byModel)) return { name: byModel };
  const drafted = DRAFT_FIELDS.find((each) => each === field);
  if (drafted === undefined) return {};
  const value = draft[drafted];
  return value === undefined ? { value } : { value, name: field };
}

function mergeDependencies(
  { draft, existing }: MergeInput,
  owned: ReadonlySet<string>,
  derived: Set<string>,
) {
  const old = existing?.context.dependencies;
  const merged: { internal?: string[]; external?: string[] } = {};
  for (const member of DEPENDENCIES) {
    const name = `dependencies.${member}`;
    const isOurs = old?.[member] === undefined || owned.has(name) || owned.has("dependencies");
    const value = isOurs ? draft.dependencies?.[member] : old[member];
    if (value === undefined) continue;
    merged[member] = value;
    if (isOurs) derived.add(name);
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/** Metadata first, then the fields in schema order, then what a model wrote. */
function inOrder(derived: ReadonlySet<string>): string[] {
  const order = [
    ...["version", "last_updated", "fingerprint", "scope"],
    ...FIELDS.flatMap((field) =>
      field === "dependencies" ? DEPENDENCIES.map((member) => `${field}.${member}`) : [field],
    ),
    ...MODEL_FIELDS.map((field) => `llm.${field}`),
  ];
  return [...new Set(order)].filter((name) => derived.has(name));
}

/** If only the time would change, the file stays as it is. */
function print(input: MergeInput, changes: ContextChanges, kept: readonly string[]): MergedContext {
  const { existing, now } = input;
  if (!existing) {
    const context = withChanges(undefined, { ...changes, last_updated: now });
    return { text: printContext(context), context, kept };
  }
  const context = withChanges(existing.context, changes);
  if (isDeepStrictEqual(context, withChanges(existing.context, {}))) {
    return { text: existing.text, context: existing.context, kept };
  }
  const dated = { ...changes, last_updated: now };
  return {
    text: updateContext(existing.text, dated),
    context: withChanges(existing.context, dated),
    kept,
  };
}

/** In schema order, without absent fields. */
function withChanges(old: DirectoryContext | undefined, changes: ContextChanges): DirectoryContext {
  const all: Readonly<Record<string, unknown>> = { last_updated: "", ...old, ...changes };
  const present = FIELDS.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]]));
  // Both are partial contexts, and every required field is in one of them.
  return Object.fromEntries(present) as DirectoryContext;
}
