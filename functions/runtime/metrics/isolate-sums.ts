import { hasCounts, seriesOf, takeCounts } from "../../../shared/kernel/index.ts";
import type { JobRun, MetricSums } from "./metrics-object.ts";

/** The upper bounds of the latency histogram, in milliseconds. A last bucket has what took longer. */
export const latencyBoundsMs = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export type RecordedRequest = Readonly<{
  method: string;
  /** The path template of the route; null for a path that no route serves. */
  route: string | null;
  status: number;
  durationMs: number;
  roundTrips: Readonly<{ d1: number; do: number; lease: number }>;
}>;

type RouteSums = {
  readonly labels: Readonly<{ route: string; method: string }>;
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  seconds: number;
  readonly roundTrips: { d1: number; do: number; lease: number };
};

let routes = new Map<string, RouteSums>();
let jobRuns = new Map<string, JobRun>();

const knownMethods: ReadonlySet<string> = new Set(
  ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], // a client may send any other text
);

/** Adds a request to the sums of this isolate. The number of series is that of routes and statuses. */
export function recordRequest(request: RecordedRequest): void {
  const route = request.route ?? "unknown";
  const method = knownMethods.has(request.method) ? request.method : "other";
  const key = `${method} ${route}`;
  const sums = routes.get(key) ?? createRouteSums(route, method);
  routes.set(key, sums);
  sums.statuses.set(request.status, (sums.statuses.get(request.status) ?? 0) + 1);
  const bound = latencyBoundsMs.findIndex((boundMs) => request.durationMs <= boundMs);
  const bucket = bound === -1 ? latencyBoundsMs.length : bound;
  sums.buckets[bucket] = (sums.buckets[bucket] ?? 0) + 1;
  sums.seconds += request.durationMs / 1_000;
  sums.roundTrips.d1 += request.roundTrips.d1;
  sums.roundTrips.do += request.roundTrips.do;
  sums.roundTrips.lease += request.roundTrips.lease;
}

const createRouteSums = (route: string, method: string): RouteSums => ({
  labels: { route, method },
  statuses: new Map(),
  buckets: Array.from({ length: latencyBoundsMs.length + 1 }, () => 0),
  seconds: 0,
  roundTrips: { d1: 0, do: 0, lease: 0 },
});

/** Keeps the last run of each job on each database. */
export const recordJobRun = (run: JobRun): void => void jobRuns.set(`${run.job} ${run.shard}`, run);

export const hasSums = (): boolean => routes.size > 0 || jobRuns.size > 0 || hasCounts();

/** Returns the sums since the last call, and starts again from zero. */
export function takeSums(): MetricSums {
  const sums = {
    series: Object.fromEntries([
      ...[...routes.values()].flatMap(seriesOfRoute),
      ...[...takeCounts()].map(([series, count]) => [series, [count]] as const),
    ]),
    jobRuns: [...jobRuns.values()],
  };
  routes = new Map();
  jobRuns = new Map();
  return sums;
}

function seriesOfRoute({ labels, statuses, buckets, seconds, roundTrips }: RouteSums) {
  const requests = [...statuses].map(
    ([status, count]) => [seriesOf("http_requests_total", { ...labels, status }), [count]] as const,
  );
  const trips = [
    ["d1_round_trips_total", roundTrips.d1],
    ["object_calls_total", roundTrips.do],
    ["limiter_calls_total", roundTrips.lease],
  ] as const;
  return [
    ...requests,
    [seriesOf("http_request_duration_seconds", labels), [seconds, ...buckets]] as const,
    ...trips
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [seriesOf(name, labels), [count]] as const),
  ];
}
