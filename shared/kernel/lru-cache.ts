export type LruCache<T> = Readonly<{
  get(key: string): T | undefined;
  put(key: string, value: T): void;
}>;

/**
 * A cache with a maximum weight, for example in bytes; `weigh` returns the weight of an entry. The
 * least recently used entries are evicted first.
 */
export function createLruCache<T>(
  maxWeight: number,
  weigh: (value: T, key: string) => number,
): LruCache<T> {
  const entries = new Map<string, { value: T; weight: number }>();
  let totalWeight = 0;

  function remove(key: string): void {
    totalWeight -= entries.get(key)?.weight ?? 0;
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
      totalWeight += weight;
      for (const oldest of entries.keys()) {
        if (totalWeight <= maxWeight) return;
        remove(oldest);
      }
    },
  };
}
