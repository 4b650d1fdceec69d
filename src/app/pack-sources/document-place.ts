import { realpath } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Freshness } from "../../capabilities/packs/index.ts";
import { readInside } from "../../core/files/read-inside.ts";
import { redactSecrets, stripInvisible } from "../../core/hygiene/index.ts";
import type { Machine } from "../../core/machine.ts";
import { decodeText } from "../../core/scan/read-text.ts";

export interface Place {
  readonly path: string;
  readonly freshness: Freshness;
}
interface Stored {
  readonly source: string;
  readonly source_id: string;
  readonly content_type: string;
  readonly body: string;
}

/**
 * A text file of the project is cited by its own path and compared with the disk; anything else by its source: the
 * lines of a converted document are not those of its file.
 */
export async function placeOf(stored: Stored, machine: Machine): Promise<Place> {
  const { source, source_id, content_type, body } = stored;
  const [type, name = ""] = source.split(":");
  const { connectors } = await machine.config();
  const connector = type === "filesystem" ? connectors.filesystem[name] : undefined;
  const path = `${source}/${source_id}`;
  if (connector === undefined || content_type !== "text/plain") return { path, freshness: "not checked" };
  const directory = resolve(machine.root, connector.root);
  const inProject = relative(machine.root, join(directory, source_id)).replaceAll("\\", "/");
  return {
    path: inProject.startsWith("../") ? path : inProject,
    freshness: (await stillHolds(directory, source_id, body)) ? "fresh" : "changed since indexed",
  };
}

async function stillHolds(directory: string, path: string, body: string): Promise<boolean> {
  const root = await realpath(directory).catch(() => undefined);
  const bytes = root === undefined ? undefined : await readInside(root, path);
  const decoded = bytes && decodeText(bytes);
  if (decoded === undefined || "skipped" in decoded) return false;
  // The documents room stores a text without its secrets and invisible characters; most texts have none.
  return decoded.text === body || redactSecrets(stripInvisible(decoded.text).text).text === body;
}
