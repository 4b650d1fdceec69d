import { z } from "zod";
import { SCOPES } from "../store/layout.ts";

/** Schemas of entries and of answers about them. The tools list them; the behaviour infers its types from them. */
export const ScopeName = z.enum(SCOPES);
export const ScopeInput = z
  .string()
  .default("")
  .describe("public, private or ephemeral; empty keeps the scope, and makes a new entry public");
export const AnchorsInput = z
  .array(z.string())
  .optional()
  .describe('Code this speaks of, as "path" or "path#Symbol": the entry turns suspect when it changes');

const EntryWarnings = z.array(z.string()).readonly().optional();

export const SimilarEntry = z.object({
  type: z.string(),
  key: z.string(),
  /** Share of common word pairs. 1: the same text except for case, space and punctuation. */
  similarity: z.number(),
});
export type SimilarEntry = z.infer<typeof SimilarEntry>;
/** Why nothing was written: another entry says nearly the same. */
export const SIMILAR_ENTRY = "similar_entry";
const SimilarEntries = z.array(SimilarEntry).optional().readonly();

export const ContradictedDecision = z.object({
  id: z.int(),
  title: z.string(),
  /** The choice that both name, such as `mysql`. */
  about: z.string(),
});
export type ContradictedDecision = z.infer<typeof ContradictedDecision>;
/** Accepted decisions that the new text seems to go against. */
const ContradictedDecisions = z.array(ContradictedDecision).optional().readonly();

export const ChangedAnchor = z.object({ anchor: z.string(), change: z.enum(["changed", "missing"]) });
export type ChangedAnchor = z.infer<typeof ChangedAnchor>;

/** What every read says about an entry beside its text. */
export const EntryAbout = z.object({
  scope: ScopeName,
  author: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string(),
  anchors: z.array(z.string()).readonly().optional(),
  /** The code it is anchored to changed since it was written. */
  suspect: z.literal(true).optional(),
  changed: z.array(ChangedAnchor).readonly().optional(),
});
export type EntryAbout = z.infer<typeof EntryAbout>;

export const TextEntry = z.object({ key: z.string(), content: z.string(), ...EntryAbout.shape });
export type TextEntry = z.infer<typeof TextEntry>;

export const AddedText = z.object({
  key: z.string(),
  /** Present if the key had to be changed. */
  requested_key: z.string().optional(),
  created: z.boolean(),
  scope: ScopeName,
  similar: SimilarEntries,
  contradicts: ContradictedDecisions,
  warnings: EntryWarnings,
});
export type AddedText = z.infer<typeof AddedText>;

/** What every removal answers beside the name it was given. */
export const Removal = z.object({
  status: z.enum(["removed", "not_found"]),
  /** The nearest name, if there is no entry of the name that was given. */
  did_you_mean: z.string().optional(),
});
export type Removal = z.infer<typeof Removal>;

export const NewDecision = z.object({
  title: z.string().describe("What was decided, in a few words"),
  context: z.string().default("").describe("Why it was needed"),
  decision: z.string().default("").describe("What was decided"),
  consequences: z.string().default("").describe("What follows"),
  scope: ScopeInput,
  anchors: AnchorsInput,
});
export type NewDecision = z.input<typeof NewDecision>;

export const RecordedDecision = z.object({
  id: z.int(),
  title: z.string(),
  scope: ScopeName,
  similar: SimilarEntries,
  contradicts: ContradictedDecisions,
});
export type RecordedDecision = z.infer<typeof RecordedDecision>;

export const MemoryDecision = z.object({
  ...EntryAbout.shape,
  id: z.int(),
  key: z.string(),
  title: z.string(),
  date: z.string(),
  status: z.string(),
  author: z.string(),
  context: z.string(),
  decision: z.string(),
  consequences: z.string(),
});
export type MemoryDecision = z.infer<typeof MemoryDecision>;

export const AddedSkill = z.object({
  name: z.string(),
  requested_name: z.string().optional(),
  created: z.boolean(),
  scope: ScopeName,
  similar: SimilarEntries,
  contradicts: ContradictedDecisions,
});
export type AddedSkill = z.infer<typeof AddedSkill>;

export const MemorySkill = z.object({
  ...EntryAbout.shape,
  name: z.string(),
  description: z.string(),
  content: z.string(),
  /** The name inside the file differs from its folder: the skill is not exported. */
  mismatch: z.literal(true).optional(),
});
export type MemorySkill = z.infer<typeof MemorySkill>;

export const SkillStats = z.object({
  skill: z.string(),
  usage_count: z.int(),
  avg_rating: z.number().nullable(),
  rating_count: z.int(),
  last_used: z.string().nullable(),
  needs_attention: z.boolean(),
});
export type SkillStats = z.infer<typeof SkillStats>;

export const ScopeAnswer = z.object({ key: z.string(), scope: ScopeName, warnings: EntryWarnings });
export type ScopeAnswer = z.infer<typeof ScopeAnswer>;
