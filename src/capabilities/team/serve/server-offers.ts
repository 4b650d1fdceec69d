import { DomainError } from "../../../core/errors.ts";
import { silentProgress } from "../../../core/progress.ts";
import type { Prompt, ResourceSource } from "../../../core/room-offer.ts";
import type { Call } from "../../../core/tool.ts";
import { type TeamCaller, theProject } from "./server-tools.ts";

/** A client shows the whole list. */
const MOST_LISTED = 100;
const PROJECT = "?project=";
const call = (): Call => ({
  signal: new AbortController().signal,
  actor: "resources",
  caller: "agent",
  progress: silentProgress,
});

/** The resources of a project's rooms, each with the name of the project: `context://summary?project=NAME`. */
export const serverResources = (template: ResourceSource, caller: TeamCaller): ResourceSource => ({
  templates: template.templates.map((one) => ({ ...one, uriTemplate: `${one.uriTemplate}{?project}` })),
  async list() {
    const projects = caller.projects().filter(({ commit }) => commit !== null);
    const own = await template.list();
    return projects.slice(0, MOST_LISTED).flatMap(({ name }) =>
      own.map((entry) => ({
        ...entry,
        uri: `${entry.uri}${PROJECT}${encodeURIComponent(name)}`,
        name: `${name}: ${entry.name}`,
      })),
    );
  },
  async read(uri) {
    const [own = "", name] = uri.split(PROJECT, 2);
    const chosen = theProject(caller, name && decoded(name), "resources/read");
    return caller.use(chosen, ({ resources }) => resources.read(own), call());
  },
});

/** The prompts of a project's rooms, each with the name of the project. */
export const serverPrompts = (templates: readonly Prompt[], caller: TeamCaller): readonly Prompt[] =>
  templates.map((template) => ({
    ...template,
    arguments: [
      ...template.arguments,
      {
        name: "project",
        description: "The project's name; may be left out if you see only one",
        required: false,
      },
    ],
    render({ project, ...values }) {
      const chosen = theProject(caller, project, `prompts/get ${template.name}`);
      const rendered = async (prompts: readonly Prompt[]) =>
        (await prompts.find(({ name }) => name === template.name)?.render(values)) ?? "";
      return caller.use(chosen, ({ prompts }) => rendered(prompts), call());
    },
  }));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DomainError("invalid_input", "The name of the project in this URI cannot be read.");
  }
}
