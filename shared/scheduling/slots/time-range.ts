/** A range of time in epoch milliseconds. `start` is included, `end` is not. */
export type TimeRange = Readonly<{ start: number; end: number }>;

/**
 * Joins each range to the previous one if it starts exactly when the previous one ends. The ranges
 * are in ascending order.
 */
export function mergeAdjacent(ranges: readonly TimeRange[]): TimeRange[] {
  const merged: TimeRange[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last?.end === start) merged[merged.length - 1] = { start: last.start, end };
    else merged.push({ start, end });
  }
  return merged;
}

/**
 * Returns a function that tells whether a range lies within one of `ranges`. `ranges` must be in
 * ascending order.
 */
export function withinAny(ranges: readonly TimeRange[]): (range: TimeRange) => boolean {
  const starts = Float64Array.from(ranges, ({ start }) => start);
  let count = 0;
  return ({ start, end }) => {
    count = countUpTo(starts, start, count);
    const candidate = ranges[count - 1];
    return candidate !== undefined && end <= candidate.end;
  };
}

/**
 * Counts the times at or before `time`. `times` must be in ascending order.
 *
 * @param near the count for another time. The search begins there and takes steps of growing
 *   length, so that it is short when the times are close.
 */
export function countUpTo(times: Float64Array, time: number, near = 0): number {
  let low = near > 0 && (times[near - 1] ?? 0) <= time ? near : 0;
  let high = low;
  for (let step = 1; high < times.length && (times[high] ?? 0) <= time; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, times.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
