/** The labels of a counter. Each combination of values is stored, so a label has few values. */
export type CounterLabels = Readonly<Record<string, string | number>>;

/** What use cases count for the operator's metrics (docs/contract/operator.md#metrics). */
export type CounterName =
  | "charges_total"
  | "limits_hit_total"
  | "orders_placed_total"
  | "provider_errors_total"
  | "webhook_deliveries_total";

let counts = new Map<string, number>();

/**
 * Counts one event in this isolate. The isolate later hands its counts over, so a use case needs no
 * round trip for it.
 */
export function countEvent(name: CounterName, labels: CounterLabels = {}): void {
  const series = seriesOf(name, labels);
  counts.set(series, (counts.get(series) ?? 0) + 1);
}

/** A counter with its labels, as Prometheus writes it. */
export function seriesOf(name: string, labels: CounterLabels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

const escapeLabel = (value: string | number): string =>
  String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

export const hasCounts = (): boolean => counts.size > 0;

/** Returns the counts since the last call, and starts again from zero. */
export function takeCounts(): ReadonlyMap<string, number> {
  const taken = counts;
  counts = new Map();
  return taken;
}
