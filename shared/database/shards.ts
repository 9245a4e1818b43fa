/** The shards by binding name, such as `SHOP_1`. */
export type Shards = Readonly<Record<string, D1Database>>;

/**
 * Opens all shards. A business's client is only available through `shopOf`.
 *
 * @param settings `SHOP_SHARDS`: the binding names, separated by commas.
 */
export function shardsOf(bindings: object, settings: string): Shards {
  const cached = shardsByBindings.get(bindings);
  if (cached?.settings === settings) return cached.shards;
  const shards = openShards(bindings, settings);
  shardsByBindings.set(bindings, { settings, shards });
  return shards;
}

// A Worker's bindings never change, and every request needs them.
const shardsByBindings = new WeakMap<object, Readonly<{ settings: string; shards: Shards }>>();

function openShards(bindings: object, settings: string): Shards {
  const names = settings
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const bindingsByName = new Map(Object.entries(bindings));
  return Object.fromEntries(
    names.map((name) => [name, requireDatabase(bindingsByName.get(name), name)]),
  );
}

/** The shard of a business. */
export function shopOf(shards: Shards, business: { shard: string }): D1Database {
  return requireDatabase(shards[business.shard], business.shard);
}

function requireDatabase(binding: unknown, name: string): D1Database {
  if (isDatabase(binding)) return binding;
  throw new Error(`SHOP_SHARDS names ${name}, but there is no D1 binding of that name.`);
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "prepare" in binding && "batch" in binding;
