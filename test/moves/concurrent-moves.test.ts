import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { moveBusiness } from "../../shared/moves/index.ts";
import { claimExpiredOrders } from "../../shared/orders/index.ts";
import { createOrder } from "../support/create-order.ts";
import { crashAtEffect } from "../support/faults.ts";
import { refusal } from "../support/responses.ts";
import { contextFor, createBusinessOnSameShard, dataOf, merchant } from "../support/world.ts";
import {
  completeMove,
  createMoveContext,
  createShopWithSale,
  expireBusinessCaches,
  openShard,
  otherShard,
  readAllRows,
  runMover,
  startMove,
  totalRows,
} from "./create-move.ts";

describe("a business that is being moved", () => {
  it("refuses writes with 503 and serves reads", async () => {
    const shop = await createShopWithSale();
    await startMove(shop);
    const made = await merchant(shop)("POST", "/products", {
      body: { name: "Late", default_price: "1" },
    });
    expect(made).toMatchObject({
      status: 503,
      body: refusal("SERVICE_UNAVAILABLE", { retryable: true }),
    });
    expect((await merchant(shop)("GET", "/orders")).status).toBe(200);
    await completeMove(shop);
  });

  it("does not stop the jobs of its shard for other businesses", async () => {
    const shop = await createShopWithSale();
    const other = { ...(await createBusinessOnSameShard(shop)) };
    const due = async (id: string) => {
      const product = dataOf(
        await merchant(other)("POST", "/products", { body: { name: "P", default_price: "1" } }),
      );
      const sale = await createOrder(other, product.id, { payWith: "1" });
      await openShard(shop.business.shard)
        .prepare("update orders set expires_at = 1 where id in (?, ?)")
        .bind(id, sale.id)
        .run();
      return sale.id;
    };
    const theirs = await due(shop.sale.id);
    await startMove(shop);
    const claimed = await claimExpiredOrders(contextFor(shop).db, {
      now: 2,
      limit: 10,
      maxBytes: 1,
    });
    const ids = claimed.map(({ id }) => id);
    expect(ids).toContain(theirs);
    expect(ids).not.toContain(shop.sale.id);
    await completeMove(shop);
  });

  it("is unchanged after the move is called off", async () => {
    const shop = await createShopWithSale();
    const { shard } = shop.business;
    const rows = { ...(await readAllRows(shop, shard)), audit_entries: [] };
    expect(await runMover(crashAtEffect(29, "before"), shop.business.id, otherShard(shard))).toBe(
      "died",
    );
    expect(totalRows(await readAllRows(shop, otherShard(shard)))).toBeGreaterThan(0);
    expect(await completeMove(shop, shard)).toMatchObject({ phase: "called_off" });
    expect({ ...(await readAllRows(shop, shard)), audit_entries: [] }).toEqual(rows);
    expect(totalRows(await readAllRows(shop, otherShard(shard)))).toBe(0);
    await createOrder(shop, shop.product.id, { payWith: "cash" });
    expect(await completeMove(shop)).toMatchObject({ phase: "done" });
  });

  it("is unchanged when calling off crashes at any effect", async () => {
    const shop = await createShopWithSale();
    const { id, shard } = shop.business;
    const rows = { ...(await readAllRows(shop, shard)), audit_entries: [] };
    let calledOff = 0;
    for (let effect = 3, isDone = false; !isDone; effect += 4) {
      expect(await runMover(crashAtEffect(25, "before"), id, otherShard(shard))).toBe("died");
      isDone = (await runMover(crashAtEffect(effect, "after"), id, shard)) === "arrived";
      expect(await completeMove(shop, shard)).toMatchObject({ phase: "called_off" });
      calledOff += 1;
      const here = await readAllRows(shop, shard);
      expect({ ...here, audit_entries: [] }).toEqual(rows);
      const auditEntries = here.audit_entries?.filter((row) =>
        row.includes("business.move_called_off"),
      );
      expect(auditEntries).toHaveLength(calledOff);
      expect(totalRows(await readAllRows(shop, otherShard(shard)))).toBe(0);
    }
    await createOrder(shop, shop.product.id, { payWith: "cash" });
  });

  it("accepts writes after calling off while the other shard is down", async () => {
    const shop = await createShopWithSale();
    const { shard } = shop.business;
    await startMove(shop);
    const ctx = createContextWithout(otherShard(shard));
    await expect(moveBusiness(ctx, { businessId: shop.business.id, shard })).rejects.toThrow();
    await createOrder(shop, shop.product.id, { payWith: "cash" });
    expect(await completeMove(shop, shard)).toMatchObject({ phase: "called_off" });
  });

  it("is not fenced before both shards are known to have the same tables", async () => {
    const shop = await createShopWithSale();
    const to = otherShard(shop.business.shard);
    const ask = { businessId: shop.business.id, shard: to };
    await expect(moveBusiness(createContextWithout(to), ask)).rejects.toThrow();
    await createOrder(shop, shop.product.id, { payWith: "cash" });
  });

  it("does not move to a copy that differs", async () => {
    const shop = await createShopWithSale();
    const to = otherShard(shop.business.shard);
    const there = openShard(to);
    const fence = (from: string, into: string) =>
      there
        .prepare("update business_fences set state = ? where business_id = ? and state = ?")
        .bind(into, shop.business.id, from);
    const change = () =>
      there.batch([
        fence("closed", "lifted"),
        there
          .prepare("update products set name = 'Another' where business_id = ?")
          .bind(shop.business.id),
        fence("lifted", "closed"),
      ]);
    // The copy is changed before each effect of the mover.
    const ctx = createMoveContext(async (effect) => {
      await change();
      return effect();
    });
    const refused = await moveBusiness(ctx, { businessId: shop.business.id, shard: to }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("products"),
    });
    expect(await completeMove(shop, shop.business.shard)).toMatchObject({ phase: "called_off" });
  });
});

describe("a delayed mover", () => {
  it.each([5, 9, 13, 17, 21, 25, 29])(
    "changes nothing when another mover finished at its effect %i",
    async (held) => {
      const shop = await createShopWithSale();
      const to = otherShard(shop.business.shard);
      let effects = 0;
      let rows: unknown;
      const ctx = createMoveContext(async (effect) => {
        effects += 1;
        if (effects === held) {
          await completeMove(shop, to);
          // Rows that were deleted meanwhile must not come back.
          const there = openShard(to);
          await there
            .prepare("delete from order_terms where business_id = ?")
            .bind(shop.business.id)
            .run();
          rows = await readAllRows(shop, to);
        }
        return effect();
      });
      const ask = { businessId: shop.business.id, shard: to };
      await moveBusiness(ctx, ask).catch(() => {});
      expect(rows).toBeDefined();
      expect(await readAllRows(shop, to)).toEqual(rows);
      expect(totalRows(await readAllRows(shop, shop.business.shard))).toBe(0);
      expireBusinessCaches();
      await createOrder(shop, shop.product.id, { payWith: "cash" });
    },
  );

  const effects = [3, 6, 7, 13, 22, 28].map((held) => [held, "first"] as const);

  it.each([...effects, [6, "second"] as const])(
    "changes nothing when at its effect %i the business's %s move was called off",
    async (held, which) => {
      const shop = which === "first" ? await createShopWithSale() : await createMovedShop();
      const { shard } = shop.business;
      let effects = 0;
      let rows: unknown;
      const ctx = createMoveContext(async (effect) => {
        effects += 1;
        if (effects === held) {
          const wanted = { businessId: shop.business.id, shard: otherShard(shard) };
          // The third effect inserts the move, so another mover starts before it.
          if (held === 3) await moveBusiness(createMoveContext(), wanted);
          expect(await completeMove(shop, shard)).toMatchObject({ phase: "called_off" });
          rows = await readAllRows(shop, shard);
        }
        return effect();
      });
      const ask = { businessId: shop.business.id, shard: otherShard(shard) };
      await moveBusiness(ctx, ask).catch(() => {});
      expect(rows).toBeDefined();
      expect(await readAllRows(shop, shard)).toEqual(rows);
      expect(totalRows(await readAllRows(shop, otherShard(shard)))).toBe(0);
      expect(await findOpenMoves(shop)).toEqual([]);
      await createOrder(shop, shop.product.id, { payWith: "cash" });
    },
  );
});

/** A shop that has been moved once. */
async function createMovedShop() {
  const shop = await createShopWithSale();
  await completeMove(shop);
  expireBusinessCaches();
  return { ...shop, business: { ...shop.business, shard: otherShard(shop.business.shard) } };
}

async function findOpenMoves({ business }: Readonly<{ business: { id: string } }>) {
  const open = "select id from business_moves where business_id = ? and ended_at is null";
  return (await env.CORE.prepare(open).bind(business.id).all()).results;
}

/** A move context in which one shard does not respond. */
function createContextWithout(unreachableShard: string) {
  const ctx = createMoveContext();
  const unreachable = createMoveContext(async () => {
    throw new Error("Network connection lost.");
  });
  return {
    ...ctx,
    dbFor: (shard: string) => (shard === unreachableShard ? unreachable : ctx).dbFor(shard),
  };
}
