import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { type AgentView, type Call, defineTool, invoke, invokeView, type Tool } from "../../../core/tool.ts";
import type { ServedProject } from "../access/access-book.ts";
import type { FollowedProject } from "./followed-projects.ts";
import { MergedHit } from "./merge-hits.ts";
import type { ProjectSearch } from "./search-projects.ts";

/** What one access token sees. */
export interface TeamCaller {
  /** By name. */
  projects(): readonly ServedProject[];
  /** Throws the same error for a project that is hidden and for one that does not exist. */
  find(name: string, tool: string): ServedProject;
  use<T>(project: ServedProject, run: (index: FollowedProject) => Promise<T>, call: Call): Promise<T>;
  searchMany(search: ProjectSearch, call: Call): Promise<z.input<typeof MergedOutput>>;
}

const project = z.string().optional().describe("The project's name; may be left out if you see only one");

/** The form of an agent view, passed on as it is: only the index of the project can say what a path in it means. */
const form = z.record(z.string(), z.unknown()).optional();

/** Shows hits of many projects in the shape of hits of one. */
const MergedOutput = z.object({
  success: z.boolean(),
  query: z.string(),
  projects: z.int().describe("How many projects were searched"),
  unavailable: z.array(z.string()).describe("Projects whose index could not be used now"),
  results: z.array(MergedHit),
  statistics: z.object({
    total_results: z.int(),
    returned_results: z.int(),
    search_duration_ms: z.number(),
    cache_hit: z.boolean(),
    files_changed: z.int(),
  }),
  message: z.string(),
});

/** The tools of a team's server for one caller: those of a project's rooms, each with the name of a project. */
export const serverTools = (templates: readonly Tool[], caller: TeamCaller): readonly Tool[] => [
  listTool(caller),
  ...templates.map((template) =>
    template.name === "search_code" ? searchTool(template, caller) : projectTool(template, caller),
  ),
];

const listTool = (caller: TeamCaller) =>
  defineTool({
    room: "team",
    name: "list_projects",
    title: "List projects",
    description:
      "List the projects that you may search, with the commit of each index. Use it to find the name for the other tools.",
    effect: "reads",
    input: z.object({}),
    output: z.object({
      projects: z.array(
        z.object({ name: z.string(), commit: z.string().optional(), published_at: z.string().optional() }),
      ),
    }),
    run: async () => ({
      projects: caller.projects().map(({ name, commit, published_at }) => ({
        name,
        ...(commit !== null && { commit }),
        ...(published_at !== null && { published_at }),
      })),
    }),
    show: ({ projects }) =>
      projects.map(({ name, commit }) => `${name}  ${commit ?? "not indexed yet"}`).join("\n"),
  });

/** A tool of a room with the name of a project. A path that the tool requires is the whole project. */
function projectTool(template: Tool, caller: TeamCaller): Tool {
  const { command: _command, commands: _commands, agentView, viewInput: _extra, ...tool } = template;
  const isRootRequired = "path" in tool.input.shape && !isOptional(tool.input.shape["path"]);
  const input = (isRootRequired ? tool.input.omit({ path: true }) : tool.input).extend({ project });
  return {
    ...tool,
    input,
    viewInput: z.object({ form }),
    ...(agentView && { agentView: projectView(agentView, input) }),
    run: async ({ project: name, form: ofView, ...rest }, call) => {
      const chosen = theProject(caller, name, tool.name);
      return caller.use(
        chosen,
        (index) => callIndex(index, tool.name, { rest, ofView, isRootRequired }, call),
        call,
      );
    },
  };
}

/** Of one project it answers as the code index does; of several, or of all, one ranking. */
function searchTool(template: Tool, caller: TeamCaller): Tool {
  const one = projectTool(template, caller);
  const projects = z
    .array(z.string())
    .optional()
    .describe("Search these; without project and projects: all you see");
  const output = z.union([MergedOutput, template.viewOutput ?? template.output]);
  return {
    ...one,
    input: one.input.extend({ projects }),
    output,
    viewOutput: output,
    ...(one.agentView && { agentView: mergedView(one.agentView, projects) }),
    run: async ({ projects: names, ...input }, call) => {
      const isOne = input["project"] !== undefined || (names === undefined && caller.projects().length === 1);
      if (isOne) return one.run(input, call);
      const form = z.record(z.string(), z.unknown()).parse(input["form"] ?? input);
      const chosen = names === undefined ? caller.projects() : searchedProjects(caller, names);
      const { query, limit } = Searched.parse(form);
      const asked = { rest: input, ofView: input["form"], isRootRequired: true };
      const upperBound = (index: FollowedProject, own: Call) =>
        callTool(index.upperBound, index.root, asked, own);
      const search = (index: FollowedProject, least: number, own: Call) =>
        callIndex(index, template.name, { ...asked, least }, own);
      return caller.searchMany({ query, limit, projects: chosen, upperBound, search }, call);
    },
  };
}

const Searched = z.object({ query: z.string(), limit: z.int().default(10) });

const searchedProjects = (caller: TeamCaller, names: unknown) =>
  [...new Set(z.array(z.string()).parse(names))].map((name) => caller.find(name, "search_code"));

interface IndexCall {
  readonly rest: Readonly<Record<string, unknown>>;
  readonly ofView: unknown;
  readonly isRootRequired: boolean;
  /** Hits that are less relevant are not read. */
  readonly least?: number;
}

const callIndex = async (
  index: FollowedProject,
  name: string,
  asked: IndexCall,
  call: Call,
): Promise<unknown> => callTool(indexTool(index, name), index.root, asked, call);

function indexTool({ tools }: FollowedProject, name: string): Tool {
  const tool = tools.find((known) => known.name === name);
  if (!tool) throw new Error(`a published index has no tool ${name}`);
  return tool;
}

/** Calls the tool of an index as a surface does, so that the answer is checked in the same way. */
async function callTool(
  tool: Tool,
  root: string,
  { rest, ofView, isRootRequired, least = 0 }: IndexCall,
  given: Call,
): Promise<unknown> {
  const call = { ...given, isPart: true };
  const { agentView } = tool;
  if (ofView !== undefined && agentView) {
    const toInput: AgentView["toInput"] = (form, context) =>
      withLeastRelevance(agentView.toInput?.(form, context) ?? form, least);
    const view = { ...agentView, toInput };
    return (await invokeView({ tool, view, context: { root } }, ofView, call)).output;
  }
  const { form: _form, ...input } = rest;
  return invoke(tool, withLeastRelevance(isRootRequired ? { ...input, path: root } : input, least), call);
}

function withLeastRelevance(input: Readonly<Record<string, unknown>>, least: number) {
  if (least === 0) return input;
  const { min_relevance: asked = 0, ...filters } = Filters.parse(input["filters"] ?? {});
  return { ...input, filters: { ...filters, min_relevance: Math.min(1, Math.max(asked, least)) } };
}
const Filters = z.looseObject({ min_relevance: z.number().optional() });

/** The project of this name, or the only one that the caller sees. */
export function theProject(caller: TeamCaller, name: unknown, tool: string): ServedProject {
  if (typeof name === "string") return caller.find(name, tool);
  const all = caller.projects();
  const [only] = all;
  if (only && all.length === 1) return only;
  throw new DomainError("invalid_input", "Name the project. list_projects lists those that you may use.", {
    reason: "schema",
    details: { param: "project", params: ["project"] },
  });
}

/** What the tool's own input requires is given beside the form, in which its other values are. */
function projectView(view: AgentView, { shape }: z.ZodObject): AgentView {
  const required = Object.keys(shape).filter((name) => !isOptional(shape[name]));
  return {
    ...view,
    form: view.form.extend({ project }),
    toInput: ({ project: name, ...given }, context) => {
      const isComplete = required.every((field) => given[field] !== undefined);
      const input = isComplete ? given : (view.toInput?.(given, context) ?? given);
      const own = Object.fromEntries(required.map((field) => [field, input[field]]));
      return { ...own, project: name, form: given };
    },
  };
}

function mergedView(view: AgentView, projects: z.ZodType): AgentView {
  return {
    ...view,
    form: view.form.extend({ projects }),
    toInput: ({ projects: names, ...given }, context) => ({
      ...view.toInput?.(given, context),
      projects: names,
    }),
    show(output, given) {
      const merged = MergedOutput.safeParse(output);
      if (!merged.success) return view.show?.(output, given) ?? "";
      const results = merged.data.results.map(({ project: name, commit, ...hit }) => ({
        ...hit,
        file: { ...hit.file, path: `${name}@${commit.slice(0, 12)}:${hit.file.path}` },
      }));
      return view.show?.({ ...merged.data, results }, given) ?? "";
    },
  };
}

const isOptional = (field: unknown): boolean =>
  field instanceof z.ZodType && field.safeParse(undefined).success;
