/** An issue, a pull or merge request, or a page of a wiki. Times as the API writes them. */
export interface ForgeThread {
  /** Unique in its source, such as `issues/12`. */
  readonly sourceId: string;
  readonly title: string;
  readonly body: string;
  readonly url: string | null;
  readonly author: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly state?: string;
  readonly labels: readonly string[];
  /** Equal versions mean equal content. */
  readonly version: string;
  /** Lists of comments to read, empty if there are none. */
  readonly comments: readonly string[];
}
interface ForgeComment {
  readonly author: string;
  readonly at: string;
  readonly text: string;
}

/** What differs between forges. Entries of an unexpected form are `undefined`. */
export interface ForgeApi {
  readonly defaultUrl: string;
  /** The beginning of all paths of one repository. */
  base(url: string, repository: string): string;
  headers(token: string | undefined): Readonly<Record<string, string>>;
  /** The lists to read for one kind of thing; `since` as RFC 3339. */
  list(
    kind: string,
    since: string | undefined,
  ): { readonly path: string; readonly query: Readonly<Record<string, string>> };
  thread(kind: string, entry: unknown): ForgeThread | undefined;
  comment(entry: unknown): ForgeComment | undefined;
}
