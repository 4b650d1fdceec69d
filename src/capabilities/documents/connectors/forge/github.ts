import { z } from "zod";
import type { ForgeApi } from "./thread.ts";

const User = z.object({ login: z.string() }).nullish();
const Issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string(),
  user: User,
  labels: z.array(
    z.union([z.string(), z.object({ name: z.string().nullish() }).transform(({ name }) => name ?? "")]),
  ),
  comments: z.int().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  /** Only pull requests have it. */
  pull_request: z.unknown().optional(),
});
const Comment = z.object({
  body: z.string().nullish(),
  user: User,
  created_at: z.string(),
  path: z.string().optional(),
});

/** GitHub and GitHub Enterprise. Its list of issues has the pull requests too; the wiki is not part of the API. */
export const github: ForgeApi = {
  defaultUrl: "https://api.github.com",
  base: (url, repository) => `${url}/repos/${repository}`,
  headers: (token) => ({
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }),
  list: (_kind, since) => ({
    path: "/issues",
    query: { state: "all", sort: "updated", direction: "desc", ...(since !== undefined && { since }) },
  }),
  thread(kind, entry) {
    const { data: issue } = Issue.safeParse(entry);
    if (issue === undefined) return undefined;
    const isPull = issue.pull_request != null;
    if (isPull !== (kind === "pulls")) return undefined;
    const { number } = issue;
    return {
      sourceId: `${kind}/${number}`,
      title: `#${number} ${issue.title}`,
      body: issue.body ?? "",
      url: issue.html_url,
      author: issue.user?.login ?? null,
      createdAt: issue.created_at,
      updatedAt: issue.updated_at,
      state: issue.state_reason ? `${issue.state} (${issue.state_reason})` : issue.state,
      labels: issue.labels.filter((label) => label !== ""),
      version: issue.updated_at,
      comments: [
        ...(issue.comments > 0 ? [`/issues/${number}/comments`] : []),
        // The list does not say how many remarks on lines there are.
        ...(isPull ? [`/pulls/${number}/comments`] : []),
      ],
    };
  },
  comment(entry) {
    const { data: comment } = Comment.safeParse(entry);
    if (!comment?.body) return undefined;
    const text = comment.path === undefined ? comment.body : `On ${comment.path}:\n\n${comment.body}`;
    return { author: comment.user?.login ?? "ghost", at: comment.created_at, text };
  },
};
