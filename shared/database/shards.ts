/** The shop databases by the name that a business's record bears, such as `SHOP_1`. */
export type Shards = Readonly<Record<string, D1Database>>;

/**
 * The one way from a business to its database.
 *
 * @param settings `SHOP_SHARDS`: the bindings' names, comma-separated: every database that holds shops.
 */
export function shardsOf(bindings: object, settings: string): Shards {
  const known = opened.get(bindings);
  if (known?.settings === settings) return known.shards;
  const shards = found(bindings, settings);
  opened.set(bindings, { settings, shards });
  return shards;
}

// A Worker's bindings never change, and every request asks.
const opened = new WeakMap<object, Readonly<{ settings: string; shards: Shards }>>();

function found(bindings: object, settings: string): Shards {
  const names = settings
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const known = new Map(Object.entries(bindings));
  return Object.fromEntries(names.map((name) => [name, databaseNamed(known.get(name), name)]));
}

/** The database that a business lives in. */
export function shopOf(shards: Shards, business: { shard: string }): D1Database {
  return databaseNamed(shards[business.shard], business.shard);
}

function databaseNamed(binding: unknown, name: string): D1Database {
  if (isDatabase(binding)) return binding;
  throw new Error(`SHOP_SHARDS names ${name}, but there is no D1 binding of that name.`);
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "prepare" in binding && "batch" in binding;
