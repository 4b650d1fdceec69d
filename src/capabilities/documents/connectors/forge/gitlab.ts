import { z } from "zod";
import { sha256 } from "../../../../core/hash.ts";
import type { ForgeApi, ForgeThread } from "./thread.ts";

const Author = z.object({ username: z.string() }).nullish();
const Issue = z.object({
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  web_url: z.string(),
  author: Author,
  labels: z.array(z.string()).default([]),
  user_notes_count: z.int().default(0),
  created_at: z.string(),
  updated_at: z.string(),
});
const Note = z.object({
  body: z.string(),
  author: Author,
  created_at: z.string(),
  system: z.boolean().default(false),
});
const WikiPage = z.object({ slug: z.string(), title: z.string(), content: z.string().default("") });

/** GitLab, on gitlab.com or self-managed: issues, merge requests and the wiki. */
export const gitlab: ForgeApi = {
  defaultUrl: "https://gitlab.com",
  base: (url, repository) => `${url}/api/v4/projects/${encodeURIComponent(repository)}`,
  headers: (token) => ({ ...(token !== undefined && { "private-token": token }) }),
  list(kind, since) {
    if (kind === "wiki") return { path: "/wikis", query: { with_content: "1" } };
    const order = { scope: "all", order_by: "updated_at", sort: "desc" };
    return { path: `/${kind}`, query: { ...order, ...(since !== undefined && { updated_after: since }) } };
  },
  thread: (kind, entry) => (kind === "wiki" ? pageOf(entry) : issueOf(kind, entry)),
  comment(entry) {
    const { data: note } = Note.safeParse(entry);
    // Notes of the system say who changed a label.
    if (!note || note.system || note.body === "") return undefined;
    return { author: note.author?.username ?? "ghost", at: note.created_at, text: note.body };
  },
};

function issueOf(kind: string, entry: unknown): ForgeThread | undefined {
  const { data: issue } = Issue.safeParse(entry);
  if (issue === undefined) return undefined;
  const { iid } = issue;
  return {
    sourceId: `${kind}/${iid}`,
    title: `${kind === "merge_requests" ? "!" : "#"}${iid} ${issue.title}`,
    body: issue.description ?? "",
    url: issue.web_url,
    author: issue.author?.username ?? null,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    state: issue.state,
    labels: issue.labels,
    version: issue.updated_at,
    comments: issue.user_notes_count > 0 ? [`/${kind}/${iid}/notes`] : [],
  };
}

function pageOf(entry: unknown): ForgeThread | undefined {
  const { data: page } = WikiPage.safeParse(entry);
  if (page === undefined) return undefined;
  const version = sha256(`${page.title}\0${page.content}`);
  const { slug, title, content } = page;
  return {
    sourceId: `wiki/${slug}`,
    title,
    body: content,
    url: null,
    author: null,
    labels: [],
    version,
    comments: [],
  };
}
