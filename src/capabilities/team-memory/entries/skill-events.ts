import { randomUUID } from "node:crypto";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { appendLine, readLines } from "../store/json-files.ts";
import { FOLDER } from "../store/layout.ts";
import { checkText } from "./check-text.ts";
import type { MemoryProject, MemoryWriter } from "./project.ts";
import { averageOf, feedbackFile, needsAttention, SkillFeedback } from "./ratings.ts";
import type { SkillStats } from "./schemas.ts";
import { requireSkill } from "./skills.ts";

const Usage = z.looseObject({
  id: z.string(),
  session_id: z.string().catch(""),
  agent: z.string().catch(""),
  timestamp: z.string().catch(""),
});
const MAX_COMMENT = 2000;
const MAX_COMMENTS = 3;
const usageFile = (name: string) => `${FOLDER.skill}/${name}/.usage.ndjson`;

export async function reportUsage(
  project: MemoryProject,
  name: string,
  { actor, signal }: MemoryWriter,
): Promise<string> {
  requireSkill(await project.store.view(), name);
  return project.store.write({ purpose: "recording the use of a skill", signal }, (edit, view) => {
    const path = usageFile(requireSkill(view, name).key);
    const id = randomUUID();
    const event = { id, session_id: "", agent: actor, timestamp: project.now() };
    appendLine(project.store, edit, path, { line: event });
    return id;
  });
}

export async function rateSkill(
  project: MemoryProject,
  { name, rating, comment }: { name: string; rating: number; comment: string },
  writer: MemoryWriter,
): Promise<string> {
  requireSkill(await project.store.view(), name);
  if (!Number.isInteger(rating) || rating < 1 || rating > 5) {
    throw new DomainError("invalid_input", `Rating must be 1-5, got ${rating}`, { reason: "rating" });
  }
  if (comment.length > MAX_COMMENT) {
    throw new DomainError("invalid_input", `The comment is too long: at most ${MAX_COMMENT} characters.`);
  }
  checkText([{ name: "comment", text: comment }], writer);
  return project.store.write({ purpose: "rating a skill", signal: writer.signal }, (edit, view) => {
    const path = feedbackFile(requireSkill(view, name).key);
    const id = randomUUID();
    const event = { id, agent: writer.actor, rating, comment, timestamp: project.now() };
    appendLine(project.store, edit, path, { line: event });
    return id;
  });
}

export const feedbackOf = ({ store }: MemoryProject, name: string): SkillFeedback[] =>
  readLines(store, feedbackFile(name), SkillFeedback);

function statsOf(project: MemoryProject, name: string): SkillStats {
  const ratings = feedbackOf(project, name).map(({ rating }) => rating);
  const used = readLines(project.store, usageFile(name), Usage);
  const last = used
    .map(({ timestamp }) => timestamp)
    .sort(byCodeUnit)
    .at(-1);
  return {
    skill: name,
    usage_count: used.length,
    avg_rating: ratings.length === 0 ? null : Math.round(averageOf(ratings) * 100) / 100,
    rating_count: ratings.length,
    last_used: last || null,
    needs_attention: needsAttention(ratings),
  };
}

export async function allStats(project: MemoryProject): Promise<SkillStats[]> {
  const view = await project.store.view();
  return view.all("skill").map(({ key }) => statsOf(project, key));
}

/** The skills that need attention, with the last comments on each. */
export async function reviewSkills(project: MemoryProject): Promise<(SkillStats & { comments: string[] })[]> {
  const stats = await allStats(project);
  return stats
    .filter(({ needs_attention }) => needs_attention)
    .map((one) => ({ ...one, comments: lastComments(project, one.skill) }));
}

const lastComments = (project: MemoryProject, skill: string): string[] =>
  feedbackOf(project, skill)
    .map(({ comment }) => comment)
    .filter((comment) => comment !== "")
    .slice(-MAX_COMMENTS);
