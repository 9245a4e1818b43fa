import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { chance } from "../../functions/runtime/runtime.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter, minute } from "../../shared/kernel/index.ts";
import {
  derivedTables,
  type MoveContext,
  moveBusiness,
  movedTables,
} from "../../shared/moves/index.ts";
import { asOperator } from "../business/given.ts";
import { withoutLimits } from "../http/open-shop.ts";
import { Crash, type Dies, type faults, never } from "../support/faults.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { type Answer, givenBusiness, merchant } from "../support/world.ts";

type Shop = Readonly<{ business: { id: string; shard: string } }>;

export const shards = ["SHOP_1", "SHOP_2"];
export const otherThan = (shard: string): string => shards.find((name) => name !== shard) ?? "";
export const shardNamed = (shard: string): D1Database =>
  shopOf(shardsOf(env, env.SHOP_SHARDS), { shard });

export const askToMove = ({ business }: Shop, shard: string): Promise<Answer> =>
  asOperator("POST", `/${business.id}/move`, { body: { shard } });

/** Lets the clock jump. */
type Jumping = (jump: () => unknown) => Promise<void>;

const atOnce: Jumping = async (jump) => void jump();

/** Asks until the move is over, as the script does; the clock jumps where that waits. */
export async function moved(
  shop: Shop,
  shard = otherThan(shop.business.shard),
  jumping: Jumping = atOnce,
) {
  for (;;) {
    const answer = await askToMove(shop, shard);
    const { is_over, retry_after_ms } = dataOf(answer) ?? {};
    if (is_over) return dataOf(answer);
    if (retry_after_ms > 0) await jumping(() => vi.setSystemTime(Date.now() + retry_after_ms));
    if (answer.status !== 200 && !Object(answer.body).error?.retryable)
      throw new Error(JSON.stringify(answer.body));
  }
}

/** So long after a change every isolate knows where a business is. */
export const everybodyKnows = () => vi.setSystemTime(Date.now() + 10_001);

/** Callers beside a move. No call lasts as long as the move waits: a jump of the clock waits for those under way. */
export function callers() {
  const underWay = new Set<Promise<unknown>>();
  let standing = Promise.resolve();
  return {
    async call<T>(ask: () => Promise<T>): Promise<T> {
      await standing;
      const answer = ask();
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    async jumping(jump: () => unknown): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      standing = promise;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      jump();
      resolve();
    },
  };
}

const ofDerived = (name: string) =>
  name === "bundle_parts"
    ? "(select business_id from bundles where id = kept.bundle_id)"
    : "kept.business_id";

/** Every row of a business in a shard, by table; in an order of their own. */
export async function everythingOf({ business }: Shop, shard: string) {
  const tables = [
    ...movedTables.map(({ name, owner, own }) => ({ name, owner: owner("kept"), own })),
    ...derivedTables.map((name) => ({ name, owner: ofDerived(name), own: undefined })),
  ];
  const d1 = shardNamed(shard);
  const found = await d1.batch<Record<string, unknown>>(
    tables.map(({ name, owner }) =>
      d1.prepare(`select * from ${name} as kept where ${owner} = ?`).bind(business.id),
    ),
  );
  return Object.fromEntries(
    tables.map(({ name, own = [] }, index) => [
      name,
      (found[index]?.results ?? [])
        .map((row) => {
          const rest = Object.entries(row).filter(([column]) => !own.includes(column));
          return JSON.stringify(Object.fromEntries(rest));
        })
        .sort(),
    ]),
  );
}

export const countOf = (rows: Readonly<Record<string, readonly string[]>>): number =>
  Object.values(rows).reduce((sum, { length }) => sum + length, 0);

/** A shop with a product in stock and a sale. */
export async function givenShop() {
  const shop = await givenBusiness();
  await withoutLimits(shop);
  const ask = merchant(shop);
  const product = dataOf(
    await ask("POST", "/products", {
      body: { name: "Kente stole", default_price: "20", inventory_type: "tracked" },
    }),
  );
  const location = shop.business.locations[0]?.id;
  await ask("PUT", `/inventory/${product.id}/locations/${location}`, {
    body: { quantity_on_hand: 1_000 },
  });
  const sale = await givenSale(shop, product.id, { how: "cash" });
  return { ...shop, product, sale };
}

/** What moves businesses, and dies at one of its calls of a database. */
export const moveContextFor = (dies: Dies = never): MoveContext => ({
  ...chance,
  core: openDb(dying(env.CORE, dies), createMeter()),
  shards,
  dbIn: (shard) => openDb(dying(shardNamed(shard), dies), createMeter()),
});

function dying(d1: D1Database, dies: Dies): Pick<D1Database, "prepare" | "batch"> {
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: () => dies(() => statement.first()),
      run: () => dies(() => statement.run()),
      all: () => dies(() => statement.all()),
      raw: () => dies(() => statement.raw()),
    } as unknown as D1PreparedStatement; // safe: what the database's client calls is here
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query) => wrap(d1.prepare(query)),
    batch: <T>(all: D1PreparedStatement[]) =>
      dies(() => d1.batch<T>(all.map((statement) => inner.get(statement) ?? statement))),
  };
}

/** A move that has begun, and in which something is left to do. */
export async function fenced(shop: Shop): Promise<void> {
  const begun = await askToMove(shop, otherThan(shop.business.shard));
  expect(dataOf(begun)).toMatchObject({ is_over: false });
}

/** Calls of one mover until it arrives, or dies. */
export async function movedBy(
  dies: ReturnType<typeof faults> | undefined,
  id: string,
  shard: string,
) {
  const ctx = moveContextFor(dies);
  try {
    for (;;) {
      const move = await moveBusiness(ctx, { businessId: id, shard });
      if (move.endedAt !== null) return "arrived";
      vi.setSystemTime(Date.now() + minute);
    }
  } catch (error) {
    if (!(error instanceof Crash) && !(Object(error).cause instanceof Crash)) throw error;
    return "died";
  }
}
