import { sha256 } from "../../../../core/hash.ts";

/** What the clone of a repository is called: connectors with the same address share it. */
export const cloneName = ({ url, shallow }: { readonly url: string; readonly shallow: boolean }): string =>
  `${sha256(url).slice(0, 12)}${shallow ? "-shallow" : ""}.git`;
