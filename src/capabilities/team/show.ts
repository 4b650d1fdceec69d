import type { JobEvent } from "./jobs/job-event.ts";
import type { ListedToken, RegisteredProject } from "./schemas.ts";

export function showTokens(tokens: readonly ListedToken[]): string {
  if (tokens.length === 0) return "There are no tokens. Make one: contextful team tokens add NAME";
  return tokens
    .map(({ name, expires_at, revoked_at, last_used_at, grants }) => {
      const state =
        revoked_at !== null
          ? `revoked ${revoked_at}`
          : [
              expires_at === null ? "does not expire" : `expires ${expires_at}`,
              last_used_at === null ? "never used" : `used ${last_used_at}`,
            ].join(", ");
      const may = grants.map(({ scope, role }) => `${role} ${scope}`).join(", ");
      return `${name}  ${state}  ${may || "no grants"}`;
    })
    .join("\n");
}

interface Grant {
  readonly token: string;
  readonly role: string;
  readonly scope: string;
  readonly projects: number;
}

export function showGrant({ token, role, scope, projects }: Grant): string {
  const count = `${projects} ${projects === 1 ? "project" : "projects"} now`;
  const what = scope.startsWith("project ") ? scope : `${scope === "all" ? "everything" : scope}: ${count}`;
  return role === "none" ? `${token} has lost the role for ${what}.` : `${token} may ${role} ${what}.`;
}

export function showProjects(projects: readonly RegisteredProject[]): string {
  if (projects.length === 0) return "There are no projects. Add one: contextful projects add URL";
  return projects
    .map(({ name, url, branch, commit, published_at, waiting, failure }) => {
      const state = commit === null ? "not indexed yet" : `${commit.slice(0, 12)} published ${published_at}`;
      const more = [...(waiting ? ["waiting"] : []), ...(failure === null ? [] : [`failed: ${failure}`])];
      return [name, state, ...more, `${url}${branch === null ? "" : ` (${branch})`}`].join("  ");
    })
    .join("\n");
}

export function showJob({ project, state, seconds, commit = "", blocks, new_blocks }: JobEvent): string {
  if (state === "unchanged") return `${project}  unchanged  ${seconds} s`;
  return `${project}  published ${commit.slice(0, 12)}  ${new_blocks} of ${blocks} blocks are new  ${seconds} s`;
}
