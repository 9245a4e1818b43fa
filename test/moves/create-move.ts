import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { runtime } from "../../functions/runtime/runtime.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  derivedTables,
  type MoveContext,
  moveBusiness,
  movedTables,
} from "../../shared/moves/index.ts";
import { raiseRateLimits } from "../http/prepare-business.ts";
import { createOrder } from "../support/create-order.ts";
import { Crash, type CrashPoint, type crashAtEffect, neverCrash } from "../support/faults.ts";
import { type ApiResponse, createBusiness, dataOf, merchant, operator } from "../support/world.ts";

type MovingShop = Readonly<{ business: { id: string; shard: string } }>;

export const shards = ["SHOP_1", "SHOP_2"];
export const otherShard = (shard: string): string => shards.find((name) => name !== shard) ?? "";
export const openShard = (shard: string): D1Database =>
  shopOf(shardsOf(env, env.SHOP_SHARDS), { shard });

export const requestMove = ({ business }: MovingShop, shard: string): Promise<ApiResponse> =>
  operator("POST", `/v1/businesses/${business.id}/move`, { body: { shard } });

/** Advances the clock while no call is in flight. */
type AdvanceClock = (advance: () => unknown) => Promise<void>;

const advanceImmediately: AdvanceClock = async (advance) => void advance();

/**
 * Requests the move until it has ended, as the script does, and advances the clock when it waits.
 */
export async function completeMove(
  shop: MovingShop,
  shard = otherShard(shop.business.shard),
  advanceClock: AdvanceClock = advanceImmediately,
) {
  for (;;) {
    const answer = await requestMove(shop, shard);
    const { is_over, retry_after_ms } = dataOf(answer) ?? {};
    if (is_over) return dataOf(answer);
    if (retry_after_ms > 0) await advanceClock(() => vi.setSystemTime(Date.now() + retry_after_ms));
    if (answer.status !== 200 && !Object(answer.body).error?.retryable)
      throw new Error(JSON.stringify(answer.body));
  }
}

/** Advances the clock until no isolate has the old shard cached. */
export const expireBusinessCaches = () => vi.setSystemTime(Date.now() + 10_001);

/**
 * Callers that run during a move. A call never lasts as long as the move waits, so the clock
 * advances only when none is in flight.
 */
export function createConcurrentCallers() {
  const inFlight = new Set<Promise<unknown>>();
  let gate = Promise.resolve();
  return {
    async call<T>(ask: () => Promise<T>): Promise<T> {
      await gate;
      const answer = ask();
      inFlight.add(answer);
      return answer.finally(() => inFlight.delete(answer));
    },
    async advanceClock(advance: () => unknown): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      advance();
      resolve();
    },
  };
}

const derivedBusinessId = (name: string) =>
  name === "bundle_parts"
    ? "(select business_id from bundles where id = stored.bundle_id)"
    : "stored.business_id";

/** All rows of a business in a shard by table, sorted. */
export async function readAllRows({ business }: MovingShop, shard: string) {
  const tables = [
    ...movedTables.map(({ name, businessIdOf, generatedColumns = [] }) => ({
      name,
      businessId: businessIdOf("stored"),
      generatedColumns,
    })),
    ...derivedTables.map((name) => ({
      name,
      businessId: derivedBusinessId(name),
      generatedColumns: [],
    })),
  ];
  const d1 = openShard(shard);
  const found = await d1.batch<Record<string, unknown>>(
    tables.map(({ name, businessId }) =>
      d1.prepare(`select * from ${name} as stored where ${businessId} = ?`).bind(business.id),
    ),
  );
  return Object.fromEntries(
    tables.map(({ name, generatedColumns }, index) => [
      name,
      (found[index]?.results ?? [])
        .map((row) => {
          const columns = Object.entries(row).filter(
            ([column]) => !generatedColumns.includes(column),
          );
          return JSON.stringify(Object.fromEntries(columns));
        })
        .sort(),
    ]),
  );
}

export const totalRows = (rows: Readonly<Record<string, readonly string[]>>): number =>
  Object.values(rows).reduce((sum, { length }) => sum + length, 0);

/** Creates a shop with a product in stock and one order. */
export async function createShopWithSale() {
  const shop = await createBusiness();
  await raiseRateLimits(shop);
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
  const sale = await createOrder(shop, product.id, { payWith: "cash" });
  return { ...shop, product, sale };
}

/** A move context whose database calls run through `crash`. */
export const createMoveContext = (crash: CrashPoint = neverCrash): MoveContext => ({
  ...runtime,
  core: openDb(withCrashes(env.CORE, crash), createMeter()),
  shards,
  dbFor: (shard) => openDb(withCrashes(openShard(shard), crash), createMeter()),
});

function withCrashes(d1: D1Database, crash: CrashPoint): Pick<D1Database, "prepare" | "batch"> {
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: () => crash(() => statement.first()),
      run: () => crash(() => statement.run()),
      all: () => crash(() => statement.all()),
      raw: () => crash(() => statement.raw()),
    } as unknown as D1PreparedStatement; // safe: what the database's client calls is here
    inner.set(wrapped, statement);
    return wrapped;
  };
  return {
    prepare: (query) => wrap(d1.prepare(query)),
    batch: <T>(all: D1PreparedStatement[]) =>
      crash(() => d1.batch<T>(all.map((statement) => inner.get(statement) ?? statement))),
  };
}

/** Starts a move that is not finished by its first call. */
export async function startMove(shop: MovingShop): Promise<void> {
  const started = await requestMove(shop, otherShard(shop.business.shard));
  expect(dataOf(started)).toMatchObject({ is_over: false });
}

/** Runs one mover until the move ends or the mover crashes. */
export async function runMover(
  crash: ReturnType<typeof crashAtEffect> | undefined,
  id: string,
  shard: string,
) {
  const ctx = createMoveContext(crash);
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
