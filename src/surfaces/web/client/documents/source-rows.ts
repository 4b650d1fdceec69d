import { callPageTool, callTool } from "../app/api.ts";

export interface ListedSource {
  readonly name: string;
  readonly isHealthy: boolean;
  readonly documents: number;
  readonly chunks: number;
  readonly lastSync: string | null;
  readonly notes: string;
}
interface SourceList {
  readonly sources: readonly {
    readonly name: string;
    readonly healthy: boolean;
    readonly notes: string | null;
  }[];
}
interface StoredCounts {
  readonly sources: readonly {
    readonly source: string;
    readonly documents: number;
    readonly chunks: number;
    readonly last_sync: string | null;
  }[];
  readonly problems: readonly string[];
}

/** Configured sources with what is stored of each; a source that is no longer configured is listed too. */
export async function sourceRows(
  signal: AbortSignal,
): Promise<{ rows: ListedSource[]; problems: readonly string[] }> {
  const [{ sources }, counts] = await Promise.all([
    callTool<SourceList>("sources", {}, signal),
    callPageTool<StoredCounts>("documents_stats", {}, signal),
  ]);
  const names = [
    ...new Set([...sources.map(({ name }) => name), ...counts.sources.map(({ source }) => source)]),
  ];
  const rows = names.map((name): ListedSource => {
    const configured = sources.find((each) => each.name === name);
    const stored = counts.sources.find(({ source }) => source === name);
    return {
      name,
      isHealthy: configured?.healthy ?? false,
      documents: stored?.documents ?? 0,
      chunks: stored?.chunks ?? 0,
      lastSync: stored?.last_sync ?? null,
      notes: configured?.notes ?? (configured ? "" : "no longer configured"),
    };
  });
  return { rows, problems: counts.problems };
}
