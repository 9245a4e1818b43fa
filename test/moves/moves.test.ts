import { describe, expect, it } from "vitest";
import { commit } from "../../shared/database/index.ts";
import { movedTables } from "../../shared/moves/index.ts";
import { createBusinessRecords } from "../http/create-business-records.ts";
import { createCustomerRecords } from "../http/create-customer-records.ts";
import { openAllLocationsAllDay, raiseRateLimits } from "../http/prepare-business.ts";
import { createOrder } from "../support/create-order.ts";
import { crashAtEffect } from "../support/faults.ts";
import { refusal, success } from "../support/responses.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";
import {
  completeMove,
  createConcurrentCallers,
  createShopWithSale,
  expireBusinessCaches,
  openShard,
  otherShard,
  readAllRows,
  requestMove,
  runMover,
  totalRows,
} from "./create-move.ts";

const at = (shop: Awaited<ReturnType<typeof createBusiness>>, shard: string) => ({
  business: { ...shop.business, shard },
});

describe("a moved business", () => {
  it("has all rows in the new shard and none in the old one", async () => {
    const shop = await createBusiness();
    await Promise.all([raiseRateLimits(shop), openAllLocationsAllDay(shop)]);
    const other = await createBusinessOnSameShard(shop);
    await merchant(other)("POST", "/products", { body: { name: "Theirs", default_price: "1" } });
    await createCustomerRecords(shop, await createBusinessRecords(shop), "+233241000101");
    await insertRemainingRows(shop);
    const { shard } = shop.business;
    const [rows, others] = [await readAllRows(shop, shard), await readAllRows(other, shard)];
    expect(movedTables.filter(({ name }) => rows[name]?.length === 0)).toEqual([]);

    expect(await completeMove(shop)).toMatchObject({ phase: "done", from_shard: shard });

    const there = await readAllRows(shop, otherShard(shard));
    const audit = there.audit_entries?.filter((row) => !rows.audit_entries?.includes(row));
    expect(audit).toHaveLength(1);
    expect(audit?.[0]).toContain("business.moved");
    expect({ ...there, audit_entries: rows.audit_entries }).toEqual(rows);
    expect(totalRows(await readAllRows(shop, shard))).toBe(0);
    expect(await readAllRows(other, shard)).toEqual(others);
  });

  it("can be searched and can sell in the new shard", async () => {
    const shop = await createShopWithSale();
    await completeMove(shop);
    expireBusinessCaches();
    const found = await shopper(shop)("GET", "/catalogue/products?search=kente");
    expect(found.body).toMatchObject(success({ items: [{ id: shop.product.id }] }));
    const orders = await merchant(shop)("GET", "/orders");
    expect(orders.body).toMatchObject(success({ items: [{ id: shop.sale.id }] }));
    await createOrder(shop, shop.product.id, { payWith: "cash" });
  });

  it("can be moved back", async () => {
    const shop = await createShopWithSale();
    const { shard } = shop.business;
    const before = await readAllRows(shop, shard);
    await completeMove(shop);
    await completeMove(shop, shard);
    const after = await readAllRows(shop, shard);
    expect({ ...after, audit_entries: [] }).toEqual({ ...before, audit_entries: [] });
    expireBusinessCaches();
    await createOrder(shop, shop.product.id, { payWith: "cash" });
  });

  it("loses and duplicates nothing that is written during the move", async () => {
    const shop = await createShopWithSale();
    const { shard } = shop.business;
    const products: string[] = [];
    const orders: string[] = [shop.sale.id];
    const refusals = new Set<number>();
    const { call, advanceClock } = createConcurrentCallers();
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
        await call(() => createOrder(shop, shop.product.id, { payWith: "cash", quantity: 1 })).then(
          ({ id }) => orders.push(id),
          (error: Error) => {
            if (!error.message.includes("SERVICE_UNAVAILABLE")) throw error;
          },
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await completeMove(shop, otherShard(shard), advanceClock);
    await advanceClock(expireBusinessCaches);
    isMoving = false;
    await Promise.all(writing);

    expect([...refusals].filter((status) => status !== 503)).toEqual([]);
    const there = await readAllRows(at(shop, otherShard(shard)), otherShard(shard));
    const idsOf = (table: string) => (there[table] ?? []).map((row) => JSON.parse(row).id);
    expect(idsOf("products").sort()).toEqual([shop.product.id, ...products].sort());
    const movedIds = new Set(idsOf("orders"));
    expect(orders.filter((id) => !movedIds.has(id))).toEqual([]);
    const [level] = (there.stock_levels ?? []).map((row) => JSON.parse(row));
    const quantities = (there.order_lines ?? []).map((row) => JSON.parse(row).quantity);
    expect(level.quantity_reserved + (1_000 - level.quantity_on_hand)).toBe(
      quantities.reduce((sum, quantity) => sum + quantity, 0),
    );
    expect(totalRows(await readAllRows(shop, shard))).toBe(0);
  });

  it("is complete when the mover crashes at any effect", async () => {
    const shop = await createShopWithSale();
    let { shard } = shop.business;
    const rows = { ...(await readAllRows(shop, shard)), audit_entries: [] };
    const every = Number(import.meta.env.MODEL_MOVE_EVERY ?? 29);
    for (let effect = 2, isDone = false; !isDone; effect += every) {
      for (const when of ["before", "after"] as const) {
        const to = otherShard(shard);
        const outcome = await runMover(crashAtEffect(effect, when), shop.business.id, to);
        isDone = outcome === "arrived";
        await runMover(undefined, shop.business.id, to);
        expect({ ...(await readAllRows(shop, to)), audit_entries: [] }).toEqual(rows);
        expect(totalRows(await readAllRows(shop, shard))).toBe(0);
        shard = to;
      }
    }
  });

  it("is moved once by two concurrent movers", async () => {
    const shop = await createShopWithSale();
    const { shard } = shop.business;
    const rows = { ...(await readAllRows(shop, shard)), audit_entries: [] };
    await Promise.all([completeMove(shop), completeMove(shop)]);
    const there = await readAllRows(shop, otherShard(shard));
    expect({ ...there, audit_entries: [] }).toEqual(rows);
    expect(there.audit_entries?.filter((row) => row.includes("business.moved"))).toHaveLength(1);
    expect(totalRows(await readAllRows(shop, shard))).toBe(0);
  });
});

describe("a context of the old shard", () => {
  it("cannot write there after the move", async () => {
    const shop = await createShopWithSale();
    const stale = contextFor(shop);
    await completeMove(shop);
    const audit = [{ action: "late", entity: shop.product.id }];
    await expect(commit(stale, { writes: [], audit })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect(totalRows(await readAllRows(shop, shop.business.shard))).toBe(0);
  });
});

describe("POST /v1/businesses/{business_id}/move", () => {
  it("rejects an unknown shard, an unknown business and the current shard", async () => {
    const shop = await createBusiness();
    expect(await requestMove(shop, "SHOP_9")).toMatchObject({
      status: 400,
      body: refusal("VALIDATION_ERROR", { context: { field: "shard" } }),
    });
    expect(await requestMove({ business: { id: "biz_0", shard: "" } }, "SHOP_1")).toMatchObject({
      status: 404,
    });
    expect(await requestMove(shop, shop.business.shard)).toMatchObject({
      status: 422,
      body: refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "INVALID_STATE" } }),
    });
  });

  it("requires the operator token", async () => {
    const shop = await createBusiness();
    const response = await merchant(shop)("POST", "/move", { body: { shard: "SHOP_1" } });
    expect(response.status).toBe(401);
  });

  it("returns the finished move on a repeat", async () => {
    const shop = await createBusiness();
    const { move_id } = await completeMove(shop);
    const again = await requestMove(shop, otherShard(shop.business.shard));
    expect(again.body).toMatchObject(success({ move_id, phase: "done", is_over: true }));
  });
});

/** Inserts rows of the kinds that the test created none of. */
async function insertRemainingRows(
  shop: Awaited<ReturnType<typeof createBusiness>>,
): Promise<void> {
  const csv = "Handle,Title,Variant Price\nstole,Stole,20\n";
  const headers = { "Content-Type": "text/csv", "Idempotency-Key": crypto.randomUUID() };
  const imported = await merchant(shop)("POST", "/imports", { rawBody: csv, headers });
  expect(imported.status).toBe(200);
  const d1 = openShard(shop.business.shard);
  const fill = (query: string) => d1.prepare(query).bind(shop.business.id);
  await d1.batch([
    fill(
      "insert into bought_together select business_id, id, 'prod_0', 1 from products where business_id = ? limit 1",
    ),
    fill(`insert into deal_redemptions select sale.id, deal.id, deal.business_id, 1, null, 1, 1, 'cus_0', null, null
      from deals as deal join orders as sale on sale.business_id = deal.business_id where deal.business_id = ? limit 1`),
    fill(
      "insert into notes select 'note_0', business_id, id, 'Rang twice.', 'key_0', 1 from orders where business_id = ? limit 1",
    ),
    fill(
      `insert into messages (id, business_id, name, channel, recipient, source_id, subject_id, status, created_at)
        select 'msg_0', business_id, 'order.receipt', 'email', 'a@b.example', 'evt_0', id, 'sent', 1
        from orders where business_id = ? limit 1`,
    ),
    fill("insert into message_templates values (?, 'order.receipt', 1, 'Paid', null, null, 1)"),
    fill("insert into message_settings (business_id, updated_at) values (?, 1)"),
    fill("insert into message_opt_outs values (?, 'a@b.example', 1)"),
    fill(
      `insert into agent_orders
        select id, business_id, 'chk_1', 'https://agent.example', '2026-08-25', 'https://shop.example', null, 1
        from orders where business_id = ? limit 1`,
    ),
    fill("insert into suppressed_recipients values (?, 'email', 'a@b.example', 'bounced', 1)"),
    fill(
      "insert into event_sequences select business_id, id, 3 from orders where business_id = ? limit 1",
    ),
    fill(
      "insert into link_orders select id, business_id, 'acc_0', 'int_0', 1 from orders where business_id = ? limit 1",
    ),
  ]);
}
