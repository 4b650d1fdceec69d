import type { App, Prompt, ResourceEntry, ResourceTemplate } from "../../core/room-offer.ts";

export const listResources = async (app: App): Promise<readonly ResourceEntry[]> =>
  (await Promise.all(app.resources.map((source) => source.list()))).flat();

export const listTemplates = (app: App): readonly ResourceTemplate[] =>
  app.resources.flatMap((source) => source.templates);

/** The first room that knows the URI answers. */
export async function readResource(app: App, uri: string) {
  for (const source of app.resources) {
    const found = await source.read(uri);
    if (found) return found;
  }
  return undefined;
}

export const listPrompts = (app: App) =>
  app.prompts.map(({ name, description, arguments: wanted }) => ({
    name,
    description,
    arguments: wanted.map((argument) => ({ ...argument })),
  }));

export function findPrompt(app: App, name: string, values: Readonly<Record<string, string>>) {
  const prompt: Prompt | undefined = app.prompts.find((known) => known.name === name);
  const missing = prompt?.arguments.find(
    (argument) => argument.required && values[argument.name] === undefined,
  );
  return { prompt, missing: missing?.name };
}
