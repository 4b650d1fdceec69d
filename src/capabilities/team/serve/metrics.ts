import type { ServedProjects } from "./served-projects.ts";

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

interface RouteCount {
  readonly buckets: number[];
  readonly statuses: Map<number, number>;
  count: number;
  seconds: number;
}
interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
  readonly type: "gauge" | "counter";
}

/** Counts requests by route. A route is a word of ours, never a caller's text, so that their number is bounded. */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteCount>();

  add(route: string, status: number, seconds: number): void {
    const made = { buckets: BUCKETS.map(() => 0), statuses: new Map<number, number>(), count: 0, seconds: 0 };
    const known = this.#routes.get(route) ?? made;
    this.#routes.set(route, known);
    known.count += 1;
    known.seconds += seconds;
    known.statuses.set(status, 1 + (known.statuses.get(status) ?? 0));
    for (const [at, most] of BUCKETS.entries())
      if (seconds <= most) known.buckets[at] = 1 + (known.buckets[at] ?? 0);
  }

  /** In the text format of Prometheus. */
  text(gauges: readonly Gauge[]): string {
    const routes = [...this.#routes];
    const requests = routes.flatMap(([route, { statuses }]) =>
      [...statuses].map(
        ([status, count]) => `contextful_requests_total{route="${route}",status="${status}"} ${count}`,
      ),
    );
    const latency = routes.flatMap(([route, { buckets, count, seconds }]) => [
      ...BUCKETS.map(
        (most, at) => `contextful_request_seconds_bucket{route="${route}",le="${most}"} ${buckets[at]}`,
      ),
      `contextful_request_seconds_bucket{route="${route}",le="+Inf"} ${count}`,
      `contextful_request_seconds_sum{route="${route}"} ${seconds}`,
      `contextful_request_seconds_count{route="${route}"} ${count}`,
    ]);
    return [
      "# HELP contextful_requests_total Answered requests.",
      "# TYPE contextful_requests_total counter",
      ...requests,
      "# HELP contextful_request_seconds Time until the answer.",
      "# TYPE contextful_request_seconds histogram",
      ...latency,
      ...gauges.flatMap(({ name, help, value, type }) => [
        `# HELP contextful_${name} ${help}`,
        `# TYPE contextful_${name} ${type}`,
        `contextful_${name} ${value}`,
      ]),
      "",
    ].join("\n");
  }
}

/** The figures of a whole server. */
export const gauges = (
  served: Pick<ServedProjects, "counts" | "size" | "behind">,
  waiting: number,
  awaySeconds: number,
): Gauge[] => [
  gauge("cache_hits_total", "Calls whose index was here.", served.counts.hits, "counter"),
  gauge("cache_misses_total", "Calls that had to wait for an index.", served.counts.misses, "counter"),
  gauge("projects_here", "Projects whose index is on this server.", served.size),
  gauge("generations_behind", "Projects here that have a newer index.", served.behind().length),
  gauge("projects_waiting", "Projects that wait for a worker.", waiting),
  gauge("database_away_seconds", "How long the database has not answered.", awaySeconds),
];
const gauge = (name: string, help: string, value: number, type: Gauge["type"] = "gauge"): Gauge => ({
  name,
  help,
  value,
  type,
});
