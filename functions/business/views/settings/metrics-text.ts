import { latencyBoundsMs } from "../../../runtime/metrics/isolate-sums.ts";

/** The metrics in the order in which they are shown. */
const metrics = [
  ["http_requests_total", "counter", "Requests by route, method and status."],
  ["http_request_duration_seconds", "histogram", "Time from a request to its response."],
  ["d1_round_trips_total", "counter", "Round trips to D1 by route."],
  ["object_calls_total", "counter", "Calls of Durable Objects by route."],
  ["limiter_calls_total", "counter", "Calls of rate-limit counters by route."],
  ["orders_placed_total", "counter", "Orders that were placed."],
  ["charges_total", "counter", "Charges by payment provider and outcome."],
  ["webhook_deliveries_total", "counter", "Attempts to deliver a webhook."],
  ["limits_hit_total", "counter", "Requests beyond a rate limit, by kind of limit."],
  ["provider_errors_total", "counter", "Failed calls of external providers, by host."],
] as const;

const prefix = "duka_";

/** The sums in Prometheus's text format, version 0.0.4. */
export function renderMetrics(series: Readonly<Record<string, readonly number[]>>): string {
  const names = Object.keys(series).toSorted();
  return metrics
    .flatMap(([name, type, help]) => [
      `# HELP ${prefix}${name} ${help}`,
      `# TYPE ${prefix}${name} ${type}`,
      ...names
        .filter((candidate) => metricOf(candidate) === name)
        .flatMap((candidate) =>
          type === "histogram"
            ? histogramLines(candidate, series[candidate] ?? [])
            : `${prefix}${candidate} ${series[candidate]?.[0] ?? 0}`,
        ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

const metricOf = (series: string): string => series.split("{", 1)[0] ?? series;

/** The buckets count what is at most their bound, so each includes those before it. */
function histogramLines(series: string, [seconds = 0, ...counts]: readonly number[]): string[] {
  const name = metricOf(series);
  const labels = series.slice(name.length + 1, -1);
  const bounds = [...latencyBoundsMs.map((ms) => String(ms / 1_000)), "+Inf"];
  let total = 0;
  const buckets = bounds.map((le, index) => {
    total += counts[index] ?? 0;
    return `${prefix}${name}_bucket{${labels},le="${le}"} ${total}`;
  });
  return [
    ...buckets,
    `${prefix}${name}_sum{${labels}} ${Number(seconds.toFixed(3))}`,
    `${prefix}${name}_count{${labels}} ${total}`,
  ];
}
