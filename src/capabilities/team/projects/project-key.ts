import { sha256 } from "../../../core/hash.ts";

/** The key of a project's generations in the store: a branch or a fork has one of its own. */
export const projectKey = (id: string): string => sha256(`contextful project ${id}`);
