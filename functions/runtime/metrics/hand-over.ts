import { stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../log.ts";
import { runtime } from "../runtime.ts";
import { hasSums, type RecordedRequest, recordRequest, takeSums } from "./isolate-sums.ts";
import { type MetricsBinding, openMetrics } from "./metrics-object.ts";

export type MetricsBindings = Readonly<{ METRICS: MetricsBinding }>;

type HandOver = Readonly<{ intervalMs: number; waitUntil: (work: Promise<void>) => void }>;

/** Counts a request, and hands what this isolate has counted over once in each interval. */
export function countHttpRequest(
  bindings: MetricsBindings,
  request: RecordedRequest,
  handOver: HandOver,
): void {
  recordRequest(request);
  scheduleHandOver(bindings, handOver);
}

/** By interval: when the hand-over was scheduled that has not run yet. */
const scheduledAt = new Map<number, number>();

/** Hands the isolate's sums over after the interval. Does nothing when that is already scheduled. */
export function scheduleHandOver(
  bindings: MetricsBindings,
  { intervalMs, waitUntil }: HandOver,
): void {
  // The platform may cancel the request that waits for its hand-over; then a later one takes over.
  const waitedMs = runtime.now() - (scheduledAt.get(intervalMs) ?? Number.NEGATIVE_INFINITY);
  if (Math.abs(waitedMs) < 2 * intervalMs) return;
  scheduledAt.set(intervalMs, runtime.now());
  waitUntil(waitAndHandOver(bindings, intervalMs));
}

async function waitAndHandOver(bindings: MetricsBindings, intervalMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, intervalMs));
  scheduledAt.delete(intervalMs);
  await handOverSums(bindings);
}

/**
 * Adds the isolate's sums to those of the deployment. They are handed over at most once, so a
 * hand-over without an answer may lose them, and it fails no request.
 */
export async function handOverSums({ METRICS }: MetricsBindings): Promise<void> {
  if (!hasSums()) return;
  const sums = takeSums();
  try {
    await openMetrics(METRICS).add(sums);
  } catch (error) {
    log("warn", "metrics not handed over", { stack: stackOf(error) });
  }
}
