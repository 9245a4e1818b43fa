export type WeightedLru<T> = Readonly<{
  get(key: string): T | undefined;
  put(key: string, value: T): void;
}>;

/** A memory of bounded weight (bytes, as `weigh` counts them); the least recently used leave first. */
export function weightedLru<T>(
  maxWeight: number,
  weigh: (value: T, key: string) => number,
): WeightedLru<T> {
  const entries = new Map<string, { value: T; weight: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    put(key, value) {
      remove(key);
      const weight = weigh(value, key);
      if (weight > maxWeight) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) return;
        remove(oldest);
      }
    },
  };
}
