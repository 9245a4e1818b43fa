/** How long an isolate may use cached data that a merchant can change. */
const defaultTtlMs = 5_000;

type Entry<T> = { value: T; readAt: number; isReloading: boolean };

export type TtlCache<T> = Readonly<{
  /** Returns the value if it has not expired; otherwise undefined. */
  peek(key: string, now: number): T | undefined;
  /**
   * Returns the cached value. Loads the value when it is missing or expired. A loaded null is not
   * cached.
   */
  get(key: string, now: number, load: () => Promise<T | null>): Promise<T | null>;
  /** As `get`, but also reloads a value in the background when half of its lifetime has passed. */
  getRevalidating(
    key: string,
    now: number,
    options: Readonly<{
      load: () => Promise<T | null>;
      reload: () => Promise<T | null>;
      background: (work: Promise<unknown>) => void;
    }>,
  ): Promise<T | null>;
  put(key: string, now: number, value: T): void;
}>;

/**
 * A cache with a maximum number of entries and a time to live. The oldest entries are evicted
 * first. Under steady traffic no request waits, because values are reloaded in the background
 * before they expire.
 */
export function createTtlCache<T>(maxEntries: number, maxAgeMs = defaultTtlMs): TtlCache<T> {
  const reloadAfterMs = maxAgeMs / 2;
  const entries = new Map<string, Entry<T>>();

  function put(key: string, now: number, value: T): void {
    entries.delete(key);
    entries.set(key, { value, readAt: now, isReloading: false });
    if (entries.size > maxEntries) {
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    }
  }

  function findFresh(key: string, now: number): Entry<T> | undefined {
    const entry = entries.get(key);
    return entry && Math.abs(now - entry.readAt) <= maxAgeMs ? entry : undefined;
  }

  async function loadAndStore(
    key: string,
    now: number,
    load: () => Promise<T | null>,
  ): Promise<T | null> {
    const value = await load();
    if (value === null) entries.delete(key);
    else put(key, now, value);
    return value;
  }

  return {
    put,
    peek: (key, now) => findFresh(key, now)?.value,
    async get(key, now, load) {
      return findFresh(key, now)?.value ?? loadAndStore(key, now, load);
    },
    async getRevalidating(key, now, { load, reload, background }) {
      const entry = findFresh(key, now);
      if (!entry) return loadAndStore(key, now, load);
      if (now - entry.readAt > reloadAfterMs && !entry.isReloading) {
        entry.isReloading = true;
        background(
          loadAndStore(key, now, reload).catch(() => {
            entry.isReloading = false; // the entry is still served while it is fresh
          }),
        );
      }
      return entry.value;
    },
  };
}
