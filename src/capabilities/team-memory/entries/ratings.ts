import { z } from "zod";
import { FOLDER } from "../store/layout.ts";

export const SkillFeedback = z.looseObject({
  id: z.string(),
  agent: z.string().catch(""),
  rating: z.int().min(1).max(5),
  comment: z.string().catch(""),
  timestamp: z.string().catch(""),
});
export type SkillFeedback = z.infer<typeof SkillFeedback>;

export const feedbackFile = (skill: string) => `${FOLDER.skill}/${skill}/.feedback.ndjson`;

export const averageOf = (ratings: readonly number[]): number =>
  ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;

/** Two ratings or more whose average is below 3, before rounding. */
export const needsAttention = (ratings: readonly number[]): boolean =>
  ratings.length >= 2 && averageOf(ratings) < 3;
