import type { ResourceSource } from "../../../core/room-offer.ts";
import type { LoadMemory } from "../tools/schemas.ts";

const SCHEME = "context://";
const LONGEST = 2000;
const mimeType = "application/json";

const WHOLE = {
  manifest: "The store's manifest",
  summary: "Counts, keys, task and members",
  knowledge: "All knowledge entries",
  conventions: "All conventions",
  decisions: "All decisions",
  state: "What is being worked on here",
  history: "The last sessions",
  skills: "All skills",
  "skills/stats": "Use and ratings of the skills",
  activity: "Who works on what",
} as const;
const ONE = {
  "knowledge/{key}": "One knowledge entry",
  "conventions/{key}": "One convention",
  "decisions/{id}": "One decision, by id or title",
  "skills/{name}": "One skill",
  "skills/{name}/feedback": "Ratings and comments of a skill",
  "skills/{name}/proposals": "Proposals for a skill, whole",
} as const;

export const memoryResources = (memory: LoadMemory): ResourceSource => ({
  templates: Object.entries(ONE).map(([path, description]) => ({
    uriTemplate: `${SCHEME}${path}`,
    name: path,
    description,
    mimeType,
  })),
  list: async () =>
    Object.entries(WHOLE).map(([path, description]) => ({
      uri: `${SCHEME}${path}`,
      name: path,
      description,
      mimeType,
    })),
  async read(uri) {
    if (!uri.startsWith(SCHEME) || uri.length > LONGEST) return undefined;
    const { readResource } = await import("./read-resource.ts");
    const text = await readResource(await memory(), uri.slice(SCHEME.length));
    return text === undefined ? undefined : { mimeType, text };
  },
});
