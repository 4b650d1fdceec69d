import { DomainError } from "../../../core/errors.ts";
import { STORE_DIRECTORY } from "./layout.ts";
import type { Store } from "./store.ts";

/** Makes an empty store on purpose, with a name of its own. */
export async function initStore(
  store: Store,
  { name, repo_url }: { name?: string | undefined; repo_url: string },
): Promise<{ name: string; directory: string }> {
  if (store.isInitialised())
    throw new DomainError("conflict", "The context store is already initialized here.");
  const created = { repoUrl: repo_url, ...(name !== undefined && { name }) };
  await store.write({ purpose: "making the context store", created }, () => undefined);
  return { name: name ?? store.root.split(/[/\\]/).at(-1) ?? "", directory: STORE_DIRECTORY };
}
