/** How a round trip to the shop's database goes wrong: it is lost, or the object dies over it. */
export type Fault = Readonly<{
  /** The round trip that goes wrong, from 1 on. */
  at: number;
  /** Before it took effect, or after: then its answer is lost. Or while it is on its way: it may yet take effect. */
  when: "before" | "after" | "on its way";
  how: "answer lost" | "object dies";
}>;

export type FaultyShop = Readonly<{
  wrap(database: D1Database): D1Database;
  /** Round trips so far, the one that went wrong among them. */
  count(): number;
  /** What was on its way takes effect now, as far as it still can; nobody hears of it. Once only. */
  arrive(): Promise<void>;
}>;

type Happening = Readonly<{
  fault?: Fault | null;
  die?: () => void;
  /** Stores what the object wrote: nothing is on its way before that is done. */
  store?: () => Promise<void>;
  /** What happens right before each round trip, by its number. */
  meanwhile?: (trip: number) => Promise<void>;
}>;

/**
 * A shop's database, the sandbox provider's books among it, whose round trips are counted and one of
 * which goes wrong. Nothing goes through any more once the object is dead.
 */
export function faultyShop({ fault = null, die, store, meanwhile }: Happening): FaultyShop {
  let count = 0;
  let isDead = false;
  let onItsWay: (() => Promise<unknown>) | null = null;

  function goWrong(how: Fault["how"]): never {
    if (how === "object dies") {
      isDead = true;
      die?.();
    }
    throw new Error("Network connection lost.");
  }

  async function passed<T>(ask: () => Promise<T>): Promise<T> {
    if (isDead) throw new Error("Network connection lost.");
    count += 1;
    await meanwhile?.(count);
    if (fault === null || count !== fault.at) return ask();
    if (fault.when === "on its way") {
      onItsWay = ask;
      await store?.();
    }
    if (fault.when !== "after") goWrong(fault.how);
    await ask();
    goWrong(fault.how);
  }

  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

  function statement(original: D1PreparedStatement): D1PreparedStatement {
    const wrapped = new Proxy(original, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => statement(target.bind(...values));
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...values: unknown[]) => passed(async () => Reflect.apply(member, target, values));
      },
    });
    originals.set(wrapped, original);
    return wrapped;
  }

  return {
    count: () => count,
    async arrive() {
      const ask = onItsWay;
      onItsWay = null;
      await ask?.().catch(() => null);
    },
    wrap: (database) =>
      new Proxy(database, {
        get(target, name) {
          if (name === "prepare") return (query: string) => statement(target.prepare(query));
          if (name === "batch")
            return (all: D1PreparedStatement[]) =>
              passed(() => target.batch(all.map((one) => originals.get(one) ?? one)));
          const member: unknown = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        },
      }),
  };
}
