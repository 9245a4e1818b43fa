/** A fault of one round trip: its response is lost, or the object dies. */
export type DatabaseFault = Readonly<{
  /** The number of the round trip, from 1 on. */
  at: number;
  /** Before it takes effect, after it, or on its way: then it can still take effect later. */
  when: "before" | "after" | "on its way";
  how: "answer lost" | "object dies";
}>;

export type FaultyDatabase = Readonly<{
  wrap(database: D1Database): D1Database;
  /** The round trips so far, the failed one included. */
  count(): number;
  /** Lets the delayed round trip take effect now, once. Its response is lost. */
  arrive(): Promise<void>;
}>;

type FaultyDatabaseOptions = Readonly<{
  fault?: DatabaseFault | null;
  die?: () => void;
  /** Stores the object's writes before a round trip is delayed. */
  store?: () => Promise<void>;
  /** Called before each round trip with its number. */
  meanwhile?: (trip: number) => Promise<void>;
}>;

/**
 * A shard, with the sandbox provider's tables, that counts its round trips and fails one of them.
 * After the object has died every round trip fails.
 */
export function createFaultyDatabase({
  fault = null,
  die,
  store,
  meanwhile,
}: FaultyDatabaseOptions): FaultyDatabase {
  let count = 0;
  let isDead = false;
  let delayedRoundTrip: (() => Promise<unknown>) | null = null;

  function fail(how: DatabaseFault["how"]): never {
    if (how === "object dies") {
      isDead = true;
      die?.();
    }
    throw new Error("Network connection lost.");
  }

  async function sendRoundTrip<T>(ask: () => Promise<T>): Promise<T> {
    if (isDead) throw new Error("Network connection lost.");
    count += 1;
    await meanwhile?.(count);
    if (fault === null || count !== fault.at) return ask();
    if (fault.when === "on its way") {
      delayedRoundTrip = ask;
      await store?.();
    }
    if (fault.when !== "after") fail(fault.how);
    await ask();
    fail(fault.how);
  }

  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  function statement(original: D1PreparedStatement): D1PreparedStatement {
    const wrapped = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => statement(target.bind(...values));
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) =>
          sendRoundTrip(async () => Reflect.apply(member, target, values));
      },
    });
    originals.set(wrapped, original);
    return wrapped;
  }

  return {
    count: () => count,
    async arrive() {
      const ask = delayedRoundTrip;
      delayedRoundTrip = null;
      await ask?.().catch(() => null);
    },
    wrap: (database) =>
      new Proxy(database, {
        get(target, name) {
          if (name === "prepare") return (query: string) => statement(target.prepare(query));
          if (name === "batch")
            return (all: D1PreparedStatement[]) =>
              sendRoundTrip(() => target.batch(all.map((one) => originals.get(one) ?? one)));
          const member: unknown = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        },
      }),
  };
}
