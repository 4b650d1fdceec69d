import type { AccessBook, ServedProject } from "../access/access-book.ts";

interface ProjectEvent {
  /** Added and removed: for the token, which may have got or lost a grant. */
  readonly event: "published" | "added" | "removed";
  readonly project: string;
  readonly commit?: string;
  readonly published_at?: string;
}
export interface ProjectEventReader {
  tell(event: ProjectEvent): void;
  /** The token is no longer valid, or the server ends. */
  end(): void;
}
interface OpenReader {
  readonly token: string;
  /** By id: what its reader knows. */
  seen: ReadonlyMap<string, ServedProject>;
}
const MOST_OF_A_TOKEN = 20;

/** Tells readers what changes among the projects that their token may see. */
export class ProjectEvents {
  readonly #book: AccessBook;
  readonly #readers = new Map<ProjectEventReader, OpenReader>();

  constructor(book: AccessBook) {
    this.#book = book;
  }

  /** Returns how to leave; `undefined` if the token has too many readers. */
  add(token: string, reader: ProjectEventReader): (() => void) | undefined {
    const same = [...this.#readers.values()].filter((known) => known.token === token);
    if (same.length >= MOST_OF_A_TOKEN) return undefined;
    this.#readers.set(reader, { token, seen: this.#visible(token) });
    return () => void this.#readers.delete(reader);
  }

  /** To be called after the book was read. */
  refresh(now: Date): void {
    for (const [reader, open] of [...this.#readers]) {
      const token = this.#book.token(open.token);
      const isAlive = token && (token.expires_at === null || token.expires_at > now.toISOString());
      if (!isAlive) {
        reader.end();
        continue;
      }
      const visible = this.#visible(open.token);
      for (const event of changes(open.seen, visible)) reader.tell(event);
      open.seen = visible;
    }
  }

  end(): void {
    for (const reader of [...this.#readers.keys()]) reader.end();
  }

  #visible = (token: string): ReadonlyMap<string, ServedProject> =>
    new Map(this.#book.list(token, "read").map((project) => [project.id, project]));
}

function* changes(
  before: ReadonlyMap<string, ServedProject>,
  after: ReadonlyMap<string, ServedProject>,
): Iterable<ProjectEvent> {
  for (const [id, { name }] of before) if (!after.has(id)) yield { event: "removed", project: name };
  for (const [id, project] of after) {
    const known = before.get(id);
    const { name, commit, published_at } = project;
    const published = { ...(commit !== null && { commit }), ...(published_at !== null && { published_at }) };
    if (!known) yield { event: "added", project: name, ...published };
    else if (known.revision !== project.revision) yield { event: "published", project: name, ...published };
  }
}
