import type { MemoryProject } from "./project.ts";

/**
 * A transaction reads what it takes away, so that it can be finished after a crash. What cannot be read in an entry's
 * place, such as a link, first gives way to an empty file.
 */
export async function makeRemovable({ store }: MemoryProject, path: string): Promise<void> {
  const view = await store.view();
  if (!view.has(path) || view.at(path) !== undefined) return;
  await store.write({ purpose: "replacing what cannot be read" }, (edit) => edit.put(path, ""));
}
