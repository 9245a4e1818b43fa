/** How long an isolate may answer from memory what a merchant can change (architecture.md, Where data lives). */
const merchantsChangeMs = 5_000;

type Entry<T> = { value: T; readAt: number; isRenewing: boolean };

export type FreshCache<T> = Readonly<{
  /** The value, while it is fresh; undefined when it has to be loaded. */
  peek(key: string, now: number): T | undefined;
  /** As `peek`, but loads what is missing or too old; null is answered and not kept. */
  get(key: string, now: number, load: () => Promise<T | null>): Promise<T | null>;
  /** As `get`, and renews an ageing entry in the background. */
  getRenewing(
    key: string,
    now: number,
    how: Readonly<{
      load: () => Promise<T | null>;
      renew: () => Promise<T | null>;
      background: (work: Promise<unknown>) => void;
    }>,
  ): Promise<T | null>;
  put(key: string, now: number, value: T): void;
}>;

/**
 * A bounded memory of values that go stale, of merchants' things after 5 s; the oldest leave first.
 * From half its age on an entry is fetched anew behind the answer, so that steady traffic never waits.
 */
export function freshCache<T>(maxEntries: number, maxAgeMs = merchantsChangeMs): FreshCache<T> {
  const renewAfterMs = maxAgeMs / 2;
  const entries = new Map<string, Entry<T>>();

  function put(key: string, now: number, value: T): void {
    entries.delete(key);
    entries.set(key, { value, readAt: now, isRenewing: false });
    if (entries.size > maxEntries) {
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    }
  }

  function fresh(key: string, now: number): Entry<T> | undefined {
    const entry = entries.get(key);
    return entry && Math.abs(now - entry.readAt) <= maxAgeMs ? entry : undefined;
  }

  async function loaded(
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
    peek: (key, now) => fresh(key, now)?.value,
    async get(key, now, load) {
      return fresh(key, now)?.value ?? loaded(key, now, load);
    },
    async getRenewing(key, now, { load, renew, background }) {
      const entry = fresh(key, now);
      if (!entry) return loaded(key, now, load);
      if (now - entry.readAt > renewAfterMs && !entry.isRenewing) {
        entry.isRenewing = true;
        background(
          loaded(key, now, renew).catch(() => {
            entry.isRenewing = false; // the entry still serves while it is fresh
          }),
        );
      }
      return entry.value;
    },
  };
}
