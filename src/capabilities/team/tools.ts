import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import { JobEvent } from "./jobs/job-event.ts";
import { ListedToken, RegisteredProject, ROLES } from "./schemas.ts";
import { showGrant, showJob, showProjects, showTokens } from "./show.ts";
import type { LoadedTeam } from "./team.ts";

const database = z
  .string()
  .optional()
  .describe("The team's database, postgres://HOST/NAME; default: CONTEXTFUL_DATABASE");
const tokenName = z.string().min(1).max(100).describe("The token's name");
const projectName = z.string().min(1).describe("The project's name");

/** The commands for those who run a team's servers. */
export const teamTools = (team: () => Promise<LoadedTeam>): readonly Tool[] => [
  loginTool(team),
  ...accessTools(team),
  ...projectTools(team),
  defineTool({
    room: "team",
    name: "team_doctor",
    description: "Check the team's database: projects, workers, tokens, blocks",
    effect: "reads",
    audience: "people",
    command: {
      words: "doctor",
      examples: ["contextful team doctor"],
      exitCode: ({ findings }) => (findings.some(({ state }) => state === "problem") ? 1 : 0),
    },
    input: z.object({ database }),
    output: z.object({
      findings: z.array(
        z.object({ name: z.string(), state: z.enum(["ok", "note", "problem"]), detail: z.string() }),
      ),
    }),
    run: async (input) => (await team()).doctor(input),
    show: ({ findings }) =>
      findings.map(({ name, state, detail }) => `${state}  ${name}: ${detail}`).join("\n"),
  }),
  defineTool({
    room: "team",
    name: "team_work",
    description:
      "Index the team's repositories after each push, and publish the indexes, until stopped; start as many workers as you like",
    effect: "writes",
    audience: "people",
    command: {
      words: "work",
      isTop: true,
      examples: [
        "contextful work --database postgres://db.example.org/team",
        "contextful work --jobs 4 --json",
      ],
    },
    input: z.object({
      database,
      jobs: z.int().min(1).max(64).default(1).describe("Projects to index at once"),
      poll_minutes: z
        .number()
        .positive()
        .default(10)
        .describe("Ask each remote at least this often, for pushes that no webhook told of"),
      cache_gb: z
        .number()
        .positive()
        .default(50)
        .describe("Most gigabytes of mirrors, work trees and indexes on this disk"),
      keep: z.int().min(1).max(1_000).default(5).describe("Generations of each project that stay"),
      audit_days: z.int().min(1).max(36_500).default(365).describe("Days that rows of the audit table stay"),
    }),
    output: z.object({ jobs: z.int() }),
    events: { schema: JobEvent, show: showJob },
    run: async (input, call) => (await team()).work(input, call),
    show: ({ jobs }) => `Stopped after ${jobs} ${jobs === 1 ? "job" : "jobs"}.`,
  }),
];

const loginTool = (team: () => Promise<LoadedTeam>): Tool =>
  defineTool({
    room: "team",
    name: "team_login",
    description: "Keep your access token of the team's server, in a file that only you can read",
    effect: "writes",
    audience: "people",
    command: {
      words: "login",
      positional: ["url"],
      examples: [
        "contextful team login https://code.example.org --token-file token.txt",
        "contextful team login https://code.example.org --token-file /dev/stdin",
      ],
    },
    input: z.object({
      url: z.string().min(1).describe("The server's address, https://HOST"),
      token_file: z.string().min(1).describe("A file with the token; on a command line others would see it"),
    }),
    output: z.object({ url: z.string(), projects: z.int(), is_configured: z.boolean() }),
    run: async (input) => (await team()).login(input),
    show: ({ url, projects, is_configured }) =>
      [
        `Logged in to ${url}: you may read ${projects} ${projects === 1 ? "project" : "projects"}.`,
        ...(is_configured
          ? []
          : [`To start from its indexes, add to your config.toml:\n\n[team]\nurl = "${url}"`]),
      ].join("\n"),
  });

const accessTools = (team: () => Promise<LoadedTeam>): readonly Tool[] => [
  defineTool({
    room: "team",
    name: "team_tokens_add",
    description:
      "Make a token for a person or a program, and show it once; it sees nothing before team grant",
    effect: "writes",
    audience: "people",
    command: {
      words: "tokens add",
      positional: ["name"],
      examples: ["contextful team tokens add ana --days 90"],
    },
    input: z.object({
      name: tokenName,
      days: z.int().min(1).max(3_650).optional().describe("Days until it expires; default: never"),
      calls_per_minute: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(600)
        .describe("Most calls a minute on each server"),
      database,
    }),
    output: z.object({ name: z.string(), token: z.string() }),
    run: async (input, { actor }) => (await team()).addToken(input, actor),
    show: ({ name, token }) =>
      `Token of ${name}, which is not shown again:\n${token}\nIt sees nothing yet. Next: contextful team grant ${name} read`,
    // The token is the answer, so it is not redacted.
    json: (output) => JSON.stringify(output),
  }),
  defineTool({
    room: "team",
    name: "team_tokens_list",
    description: "List the tokens with their grants, expiry and last use",
    effect: "reads",
    audience: "people",
    command: { words: "tokens list", examples: ["contextful team tokens list"] },
    input: z.object({ database }),
    output: z.object({ tokens: z.array(ListedToken) }),
    run: async (input) => (await team()).listTokens(input),
    show: ({ tokens }) => showTokens(tokens),
  }),
  defineTool({
    room: "team",
    name: "team_tokens_revoke",
    description: "Revoke a token; servers refuse it within a second",
    effect: "writes",
    audience: "people",
    command: {
      words: "tokens revoke",
      positional: ["name"],
      examples: ["contextful team tokens revoke ana"],
    },
    input: z.object({ name: tokenName, database }),
    output: z.object({ name: z.string() }),
    run: async (input, { actor }) => (await team()).revokeToken(input, actor),
    show: ({ name }) => `${name} is revoked.`,
  }),
  defineTool({
    room: "team",
    name: "team_grant",
    description: "Give a token a role for a project, a group or everything; none takes it away",
    effect: "writes",
    audience: "people",
    command: {
      words: "grant",
      positional: ["token", "role"],
      examples: [
        "contextful team grant ana read --group payments",
        "contextful team grant ci publish --project shop/api",
        "contextful team grant ana none --group payments",
      ],
    },
    input: z.object({
      token: tokenName,
      role: z
        .enum([...ROLES, "none"])
        .describe("read, publish, admin (each includes the ones before it) or none"),
      project: projectName.optional(),
      group: z.string().min(1).optional().describe("All projects of this group, also later ones"),
      database,
    }),
    output: z.object({
      token: z.string(),
      role: z.string(),
      scope: z.string(),
      projects: z.int().describe("How many projects that is now"),
    }),
    run: async (input, { actor }) => (await team()).grant(input, actor),
    show: showGrant,
  }),
];

const projectTools = (team: () => Promise<LoadedTeam>): readonly Tool[] => [
  defineTool({
    room: "team",
    name: "projects_add",
    description: "Register a repository of the team: workers index it, servers search it",
    effect: "writes",
    audience: "people",
    command: {
      words: "projects add",
      isTop: true,
      positional: ["url"],
      examples: [
        "contextful projects add https://git.example.org/shop/api.git --group shop",
        "contextful projects add git@git.example.org:shop/web.git --branch stable --name shop/web-stable",
        "contextful projects add file:///srv/git/tools.git",
      ],
    },
    input: z.object({
      url: z.string().min(1).max(2_000).describe("An address that git can clone"),
      name: projectName.optional().describe("Default: the last two parts of the address"),
      branch: z.string().min(1).optional().describe("Default: the remote's own default"),
      group: z.string().min(1).optional().describe("For grants to several projects at once"),
      database,
    }),
    output: z.object({ name: z.string() }),
    run: async (input, { actor }) => (await team()).addProject(input, actor),
    show: ({ name }) => `${name} is registered. A worker (contextful work) indexes it within a minute.`,
  }),
  defineTool({
    room: "team",
    name: "projects_list",
    description: "List the team's repositories, what is published of each, and what failed",
    effect: "reads",
    audience: "people",
    command: { words: "projects list", isTop: true, examples: ["contextful projects list --json"] },
    input: z.object({ database }),
    output: z.object({ projects: z.array(RegisteredProject) }),
    run: async (input) => (await team()).listProjects(input),
    show: ({ projects }) => showProjects(projects),
  }),
  defineTool({
    room: "team",
    name: "projects_remove",
    description: "Take a repository out of the team's index, with its grants",
    effect: "writes",
    audience: "people",
    command: {
      words: "projects remove",
      isTop: true,
      positional: ["name"],
      examples: ["contextful projects remove shop/api"],
    },
    input: z.object({ name: projectName, database }),
    output: z.object({ name: z.string() }),
    run: async (input, { actor }) => (await team()).removeProject(input, actor),
    show: ({ name }) => `${name} is no longer served.`,
  }),
];
