import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { readJson } from "./json-file.ts";
import { MANIFEST, STORE_DIRECTORY } from "./layout.ts";
import type { MemoryStore } from "./store.ts";

const NamedManifest = z.object({ project: z.object({ name: z.string() }).catch({ name: "" }) });

interface InitOptions {
  readonly name?: string | undefined;
  readonly repo_url: string;
  /** Also for a store that is there already: every clone registers the driver for itself. */
  readonly merge_driver: boolean;
}
interface InitResult {
  readonly name: string;
  readonly directory: string;
  /** Where git was told which files the driver merges. */
  readonly merge_driver?: string;
}

/** Makes an empty store on purpose, with a name of its own. */
export async function initStore(
  store: MemoryStore,
  { name, repo_url, merge_driver }: InitOptions,
): Promise<InitResult> {
  if (!store.isInitialised()) {
    const created = { repoUrl: repo_url, ...(name !== undefined && { name }) };
    await store.write({ purpose: "making the context store", created }, () => undefined);
  } else if (!merge_driver) {
    throw new DomainError("conflict", "The context store is already initialized here.");
  }
  const made = { name: readJson(store, MANIFEST, NamedManifest).project.name, directory: STORE_DIRECTORY };
  if (!merge_driver) return made;
  const { installMergeDriver, thisProgram } = await import("../git-sync/merge-driver.ts");
  return { ...made, merge_driver: await installMergeDriver(store, thisProgram()) };
}
