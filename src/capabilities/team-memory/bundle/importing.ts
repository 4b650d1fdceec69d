import { DomainError } from "../../../core/errors.ts";
import type { Project, Writer } from "../entries/project.ts";
import type { Edit } from "../store/edit.ts";
import type { Scope } from "../store/layout.ts";
import type { Metadata } from "../store/metadata.ts";
import type { View } from "../store/store.ts";
import type { KnownDecisions } from "./known-decisions.ts";

/** One import on its way: the bundle's files and scopes by their paths in the store, and what became of them so far. */
export interface Importing {
  readonly project: Project;
  readonly edit: Edit;
  readonly view: View;
  readonly writer: Writer;
  readonly overwrite: boolean;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly scopes: ReadonlyMap<string, Scope>;
  /** What the bundle knows of an entry beside its text. */
  readonly metadataOf: (path: string) => Metadata | undefined;
  readonly decisions: KnownDecisions;
  readonly outcome: {
    readonly imported: string[];
    readonly unchanged: string[];
    readonly skipped: { file: string; reason: string }[];
  };
}

/** What stands here stays as it is. */
export const kept = (why: string) => new DomainError("conflict", why);

/** What is private where the bundle was made must not become public here. */
export function refuseExposure({ scopes, view, edit }: Importing, path: string, target: string): void {
  const isPrivateThere = (scopes.get(path) ?? "public") !== "public";
  if (isPrivateThere && view.has(target) && edit.scopeOf(target) === "public") {
    throw kept("it is private in the bundle and public here");
  }
}
