import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { moveBusiness } from "../../shared/moves/index.ts";
import { claimExpiredOrders } from "../../shared/orders/index.ts";
import { refusal } from "../business/given.ts";
import { faults } from "../support/faults.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { contextFor, merchant } from "../support/world.ts";
import {
  countOf,
  everybodyKnows,
  everythingOf,
  fenced,
  givenShop,
  moveContextFor,
  moved,
  movedBy,
  otherThan,
  shardNamed,
} from "./given.ts";

describe("while a business is moved", () => {
  it("its writes are refused as an outage, and its reads are answered", async () => {
    const shop = await givenShop();
    await fenced(shop);
    const made = await merchant(shop)("POST", "/products", {
      body: { name: "Late", default_price: "1" },
    });
    expect(made).toMatchObject({
      status: 503,
      body: refusal("SERVICE_UNAVAILABLE", { retryable: true }),
    });
    expect((await merchant(shop)("GET", "/orders")).status).toBe(200);
    await moved(shop);
  });

  it("the jobs of its shard go on with other businesses' rows", async () => {
    const shop = await givenShop();
    const other = { ...(await givenNeighbour(shop)) };
    const due = async (id: string) => {
      const product = dataOf(
        await merchant(other)("POST", "/products", { body: { name: "P", default_price: "1" } }),
      );
      const sale = await givenSale(other, product.id, { how: "1" });
      await shardNamed(shop.business.shard)
        .prepare("update orders set expires_at = 1 where id in (?, ?)")
        .bind(id, sale.id)
        .run();
      return sale.id;
    };
    const theirs = await due(shop.sale.id);
    await fenced(shop);
    const claimed = await claimExpiredOrders(contextFor(shop).db, { now: 2, limit: 10 });
    const ids = claimed.map(({ id }) => id);
    expect(ids).toContain(theirs);
    expect(ids).not.toContain(shop.sale.id);
    await moved(shop);
  });

  it("it can be called off, and is where it was", async () => {
    const shop = await givenShop();
    const { shard } = shop.business;
    const rows = { ...(await everythingOf(shop, shard)), audit_entries: [] };
    expect(await movedBy(faults(25, "before"), shop.business.id, otherThan(shard))).toBe("died");
    expect(countOf(await everythingOf(shop, otherThan(shard)))).toBeGreaterThan(0);
    expect(await moved(shop, shard)).toMatchObject({ phase: "called_off" });
    expect({ ...(await everythingOf(shop, shard)), audit_entries: [] }).toEqual(rows);
    expect(countOf(await everythingOf(shop, otherThan(shard)))).toBe(0);
    await givenSale(shop, shop.product.id, { how: "cash" });
    expect(await moved(shop)).toMatchObject({ phase: "done" });
  });

  it("it is called off whole, wherever who does so died", async () => {
    const shop = await givenShop();
    const { id, shard } = shop.business;
    const rows = { ...(await everythingOf(shop, shard)), audit_entries: [] };
    let calledOff = 0;
    for (let effect = 3, isDone = false; !isDone; effect += 4) {
      expect(await movedBy(faults(25, "before"), id, otherThan(shard))).toBe("died");
      isDone = (await movedBy(faults(effect, "after"), id, shard)) === "arrived";
      expect(await moved(shop, shard)).toMatchObject({ phase: "called_off" });
      calledOff += 1;
      const here = await everythingOf(shop, shard);
      expect({ ...here, audit_entries: [] }).toEqual(rows);
      const told = here.audit_entries?.filter((row) => row.includes("business.move_called_off"));
      expect(told).toHaveLength(calledOff);
      expect(countOf(await everythingOf(shop, otherThan(shard)))).toBe(0);
    }
    await givenSale(shop, shop.product.id, { how: "cash" });
  });

  it("it can be called off while the other shard does not answer, and takes writes again", async () => {
    const shop = await givenShop();
    const { shard } = shop.business;
    await fenced(shop);
    const ctx = withoutAnswerOf(otherThan(shard));
    await expect(moveBusiness(ctx, { businessId: shop.business.id, shard })).rejects.toThrow();
    await givenSale(shop, shop.product.id, { how: "cash" });
    expect(await moved(shop, shard)).toMatchObject({ phase: "called_off" });
  });

  it("nothing is fenced before both shards are known to have the same tables", async () => {
    const shop = await givenShop();
    const to = otherThan(shop.business.shard);
    const ask = { businessId: shop.business.id, shard: to };
    await expect(moveBusiness(withoutAnswerOf(to), ask)).rejects.toThrow();
    await givenSale(shop, shop.product.id, { how: "cash" });
  });

  it("a copy that is not the same does not become the business", async () => {
    const shop = await givenShop();
    const to = otherThan(shop.business.shard);
    const there = shardNamed(to);
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
    // Somebody changes the copy again and again, whatever the mover does meanwhile.
    const ctx = moveContextFor(async (effect) => {
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
    expect(await moved(shop, shop.business.shard)).toMatchObject({ phase: "called_off" });
  });
});

describe("a mover that was held up", () => {
  it.each([5, 9, 13, 17, 21, 25, 29])(
    "from its effect %i until another was done changes nothing",
    async (held) => {
      const shop = await givenShop();
      const to = otherThan(shop.business.shard);
      let effects = 0;
      let rows: unknown;
      const ctx = moveContextFor(async (effect) => {
        effects += 1;
        if (effects === held) {
          await moved(shop, to);
          // What was there may be gone by now, and must not come back.
          const there = shardNamed(to);
          await there
            .prepare("delete from order_terms where business_id = ?")
            .bind(shop.business.id)
            .run();
          rows = await everythingOf(shop, to);
        }
        return effect();
      });
      const ask = { businessId: shop.business.id, shard: to };
      await moveBusiness(ctx, ask).catch(() => {});
      expect(rows).toBeDefined();
      expect(await everythingOf(shop, to)).toEqual(rows);
      expect(countOf(await everythingOf(shop, shop.business.shard))).toBe(0);
      everybodyKnows();
      await givenSale(shop, shop.product.id, { how: "cash" });
    },
  );

  const places = [3, 6, 7, 13, 22, 28].map((held) => [held, "first"] as const);

  it.each([...places, [6, "second"] as const])(
    "from its effect %i until the business's %s move was called off changes nothing",
    async (held, which) => {
      const shop = which === "first" ? await givenShop() : await givenMovedShop();
      const { shard } = shop.business;
      let effects = 0;
      let rows: unknown;
      const ctx = moveContextFor(async (effect) => {
        effects += 1;
        if (effects === held) {
          const wanted = { businessId: shop.business.id, shard: otherThan(shard) };
          // The third writes down that there is a move: another mover comes before it.
          if (held === 3) await moveBusiness(moveContextFor(), wanted);
          expect(await moved(shop, shard)).toMatchObject({ phase: "called_off" });
          rows = await everythingOf(shop, shard);
        }
        return effect();
      });
      const ask = { businessId: shop.business.id, shard: otherThan(shard) };
      await moveBusiness(ctx, ask).catch(() => {});
      expect(rows).toBeDefined();
      expect(await everythingOf(shop, shard)).toEqual(rows);
      expect(countOf(await everythingOf(shop, otherThan(shard)))).toBe(0);
      expect(await openMovesOf(shop)).toEqual([]);
      await givenSale(shop, shop.product.id, { how: "cash" });
    },
  );
});

/** A shop that both shards know. */
async function givenMovedShop() {
  const shop = await givenShop();
  await moved(shop);
  everybodyKnows();
  return { ...shop, business: { ...shop.business, shard: otherThan(shop.business.shard) } };
}

async function openMovesOf({ business }: Readonly<{ business: { id: string } }>) {
  const open = "select id from business_moves where business_id = ? and ended_at is null";
  return (await env.CORE.prepare(open).bind(business.id).all()).results;
}

/** A mover whom one of the shards does not answer. */
function withoutAnswerOf(silent: string) {
  const ctx = moveContextFor();
  const lost = moveContextFor(async () => {
    throw new Error("Network connection lost.");
  });
  return { ...ctx, dbIn: (shard: string) => (shard === silent ? lost : ctx).dbIn(shard) };
}
