import { describe, expect, it } from "vitest";
import { commit } from "../../shared/database/index.ts";
import { movedTables } from "../../shared/moves/index.ts";
import { refusal, success } from "../business/given.ts";
import { givenBelongings } from "../http/foreign-belongings.ts";
import { givenCustomerOf } from "../http/foreign-world.ts";
import { alwaysOpen, withoutLimits } from "../http/open-shop.ts";
import { faults } from "../support/faults.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { contextFor, givenBusiness, merchant, shopper } from "../support/world.ts";
import {
  askToMove,
  callers,
  countOf,
  everybodyKnows,
  everythingOf,
  givenShop,
  moved,
  movedBy,
  otherThan,
  shardNamed,
} from "./given.ts";

const at = (shop: Awaited<ReturnType<typeof givenBusiness>>, shard: string) => ({
  business: { ...shop.business, shard },
});

describe("a business that is moved", () => {
  it("has every row of every kind in the other shard, and none in the old one", async () => {
    const shop = await givenBusiness();
    await Promise.all([withoutLimits(shop), alwaysOpen(shop)]);
    const other = await givenNeighbour(shop);
    await merchant(other)("POST", "/products", { body: { name: "Theirs", default_price: "1" } });
    await givenCustomerOf(shop, await givenBelongings(shop), "+233241000101");
    await fillTheRest(shop);
    const { shard } = shop.business;
    const [rows, others] = [await everythingOf(shop, shard), await everythingOf(other, shard)];
    expect(movedTables.filter(({ name }) => rows[name]?.length === 0)).toEqual([]);

    expect(await moved(shop)).toMatchObject({ phase: "done", from_shard: shard });

    const there = await everythingOf(shop, otherThan(shard));
    const audit = there.audit_entries?.filter((row) => !rows.audit_entries?.includes(row));
    expect(audit).toHaveLength(1);
    expect(audit?.[0]).toContain("business.moved");
    expect({ ...there, audit_entries: rows.audit_entries }).toEqual(rows);
    expect(countOf(await everythingOf(shop, shard))).toBe(0);
    expect(await everythingOf(other, shard)).toEqual(others);
  });

  it("is found by its words, and sells on, where it is now", async () => {
    const shop = await givenShop();
    await moved(shop);
    everybodyKnows();
    const found = await shopper(shop)("GET", "/catalogue/products?search=kente");
    expect(found.body).toMatchObject(success({ items: [{ id: shop.product.id }] }));
    const orders = await merchant(shop)("GET", "/orders");
    expect(orders.body).toMatchObject(success({ items: [{ id: shop.sale.id }] }));
    await givenSale(shop, shop.product.id, { how: "cash" });
  });

  it("is moved back again", async () => {
    const shop = await givenShop();
    const { shard } = shop.business;
    const before = await everythingOf(shop, shard);
    await moved(shop);
    await moved(shop, shard);
    const after = await everythingOf(shop, shard);
    expect({ ...after, audit_entries: [] }).toEqual({ ...before, audit_entries: [] });
    everybodyKnows();
    await givenSale(shop, shop.product.id, { how: "cash" });
  });

  it("loses nothing of what is written while it moves, and has nothing twice", async () => {
    const shop = await givenShop();
    const { shard } = shop.business;
    const products: string[] = [];
    const orders: string[] = [shop.sale.id];
    const refusals = new Set<number>();
    const { call, jumping } = callers();
    let isMoving = true;
    const writing = [1, 2, 3].map(async (writer) => {
      for (let count = 0; isMoving || count < 5; count += 1) {
        const made = await call(() =>
          merchant(shop)("POST", "/products", {
            body: { name: `Made by ${writer}, ${count}`, default_price: "1" },
          }),
        );
        if (made.status === 201) products.push(dataOf(made).id);
        else refusals.add(made.status);
        await call(() => givenSale(shop, shop.product.id, { how: "cash", quantity: 1 })).then(
          ({ id }) => orders.push(id),
          (error: Error) => {
            if (!error.message.includes("SERVICE_UNAVAILABLE")) throw error;
          },
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await moved(shop, otherThan(shard), jumping);
    await jumping(everybodyKnows);
    isMoving = false;
    await Promise.all(writing);

    expect([...refusals].filter((status) => status !== 503)).toEqual([]);
    const there = await everythingOf(at(shop, otherThan(shard)), otherThan(shard));
    const idsOf = (table: string) => (there[table] ?? []).map((row) => JSON.parse(row).id);
    expect(idsOf("products").sort()).toEqual([shop.product.id, ...products].sort());
    const kept = new Set(idsOf("orders"));
    expect(orders.filter((id) => !kept.has(id))).toEqual([]);
    const [level] = (there.stock_levels ?? []).map((row) => JSON.parse(row));
    const pieces = (there.order_lines ?? []).map((row) => JSON.parse(row).quantity);
    expect(level.quantity_reserved + (1_000 - level.quantity_on_hand)).toBe(
      pieces.reduce((sum, quantity) => sum + quantity, 0),
    );
    expect(countOf(await everythingOf(shop, shard))).toBe(0);
  });

  it("arrives whole, wherever its mover died", async () => {
    const shop = await givenShop();
    let { shard } = shop.business;
    const rows = { ...(await everythingOf(shop, shard)), audit_entries: [] };
    const every = Number(import.meta.env.MODEL_MOVE_EVERY ?? 29);
    for (let effect = 2, isDone = false; !isDone; effect += every) {
      for (const when of ["before", "after"] as const) {
        const to = otherThan(shard);
        const died = await movedBy(faults(effect, when), shop.business.id, to);
        isDone = died === "arrived";
        await movedBy(undefined, shop.business.id, to);
        expect({ ...(await everythingOf(shop, to)), audit_entries: [] }).toEqual(rows);
        expect(countOf(await everythingOf(shop, shard))).toBe(0);
        shard = to;
      }
    }
  });

  it("arrives once, by two movers at a time", async () => {
    const shop = await givenShop();
    const { shard } = shop.business;
    const rows = { ...(await everythingOf(shop, shard)), audit_entries: [] };
    await Promise.all([moved(shop), moved(shop)]);
    const there = await everythingOf(shop, otherThan(shard));
    expect({ ...there, audit_entries: [] }).toEqual(rows);
    expect(there.audit_entries?.filter((row) => row.includes("business.moved"))).toHaveLength(1);
    expect(countOf(await everythingOf(shop, shard))).toBe(0);
  });
});

describe("whoever still believes the old shard", () => {
  it("writes nothing there after the move", async () => {
    const shop = await givenShop();
    const stale = contextFor(shop);
    await moved(shop);
    const audit = [{ action: "late", entity: shop.product.id }];
    await expect(commit(stale, { writes: [], audit })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect(countOf(await everythingOf(shop, shop.business.shard))).toBe(0);
  });
});

describe("POST /v1/businesses/{business_id}/move", () => {
  it("refuses a shard that there is not, an unknown business, and where the business is already", async () => {
    const shop = await givenBusiness();
    expect(await askToMove(shop, "SHOP_9")).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field: "shard" } }),
    });
    expect(await askToMove({ business: { id: "biz_0", shard: "" } }, "SHOP_1")).toMatchObject({
      status: 404,
    });
    expect(await askToMove(shop, shop.business.shard)).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    });
  });

  it("is the operator's alone", async () => {
    const shop = await givenBusiness();
    const asked = await merchant(shop)("POST", "/move", { body: { shard: "SHOP_1" } });
    expect(asked.status).toBe(401);
  });

  it("tells the end of a move again", async () => {
    const shop = await givenBusiness();
    const { move_id } = await moved(shop);
    const again = await askToMove(shop, otherThan(shop.business.shard));
    expect(again.body).toMatchObject(success({ move_id, phase: "done", is_over: true }));
  });
});

/** Rows of the kinds that the merchant and the customer of the test have made none of. */
async function fillTheRest(shop: Awaited<ReturnType<typeof givenBusiness>>): Promise<void> {
  const csv = "Handle,Title,Variant Price\nstole,Stole,20\n";
  const headers = { "Content-Type": "text/csv", "Idempotency-Key": crypto.randomUUID() };
  const imported = await merchant(shop)("POST", "/imports", { raw: csv, headers });
  expect(imported.status).toBe(200);
  const d1 = shardNamed(shop.business.shard);
  const fill = (query: string) => d1.prepare(query).bind(shop.business.id);
  await d1.batch([
    fill(
      "insert into bought_together select business_id, id, 'prod_0', 1 from products where business_id = ? limit 1",
    ),
    fill(`insert into deal_redemptions select sale.id, deal.id, deal.business_id, 'cus_0', 1, null, 1, 1
      from deals as deal join orders as sale on sale.business_id = deal.business_id where deal.business_id = ? limit 1`),
    fill(
      "insert into link_orders select id, business_id, 'acc_0', 'int_0', 1 from orders where business_id = ? limit 1",
    ),
  ]);
}
