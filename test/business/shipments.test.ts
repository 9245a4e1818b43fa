import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { createOrder, readRefundedMinor, readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { dataOf, type merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
  await setStock(shop, product, 50);
});

const placeOrder = (options: Parameters<typeof createOrder>[2] = {}) =>
  createOrder(shop, product.id, { quantity: 3, ...options });
const ship = (orderId: string, body: object = {}) =>
  ask("POST", `/orders/${orderId}/shipments`, { body });
const move = (orderId: string, shipmentId: string, body: object) =>
  ask("PATCH", `/orders/${orderId}/shipments/${shipmentId}`, { body });
const getOrder = async (orderId: string) => dataOf(await ask("GET", `/orders/${orderId}`));
const stock = () => readStockQuantities(shop, product.id);

/** The request's items for some units of the order's only line. */
async function unitsOf(orderId: string, quantity: number) {
  const { items } = await getOrder(orderId);
  return { items: [{ order_item_id: items[0].id, quantity }] };
}

describe("POST /orders/{order_id}/shipments", () => {
  it("ships everything by default: the stock leaves and the order is fulfilled", async () => {
    const { id, number, token } = await placeOrder();
    expect(await stock()).toEqual([50, 3]);
    const before = await getOrder(id);
    expect(before).toMatchObject({ fulfilment_status: "unfulfilled", shipments: [] });
    const tracking = {
      carrier: "DHL",
      tracking_number: "JD01",
      tracking_url: "https://carrier.example.com/JD01",
    };
    const created = await ship(number, tracking);
    expect(created.status).toBe(201);
    const time = expect.stringMatching(/Z$/);
    const shipment = {
      id: expect.stringMatching(/^shp_/),
      order_id: id,
      items: [{ order_item_id: before.items[0].id, quantity: 3 }],
      location_id: before.location_id,
      ...tracking,
      status: "shipped",
      shipped_at: time,
      delivered_at: null,
      created_at: time,
    };
    expect(dataOf(created)).toEqual({ ...shipment, notify: true });
    expect(await stock()).toEqual([47, 0]);
    const visible = await shopper(shop)("GET", `/orders/${id}?token=${token}`);
    for (const order of [await getOrder(id), dataOf(visible)])
      expect(order).toMatchObject({ fulfilment_status: "fulfilled", shipments: [shipment] });
    const list = dataOf(await ask("GET", `/orders/${id}/shipments`));
    expect(list).toMatchObject({ items: [dataOf(created)], pagination: { has_more: false } });
    expect(await listAuditActions(shop)).toContain("shipment.created");
  });

  it("records shipment.created with the order's number and the wish to notify", async () => {
    const { id, number } = await placeOrder();
    const { notify: _, ...shipment } = dataOf(await ship(id, { notify: false }));
    const [event] = await selectRows(
      shop,
      "select data, subject_id, sequence from events where business_id = ? and type = 'shipment.created'",
      shop.business.id,
    );
    expect(event).toMatchObject({ subject_id: shipment.id, sequence: 1 });
    expect(JSON.parse(String(event?.data))).toEqual({
      ...shipment,
      order_number: number,
      notify: false,
    });
  });

  it("sets units aside with a label, and ships in parts until nothing is left", async () => {
    const { id } = await placeOrder();
    const one = await unitsOf(id, 1);
    const label = dataOf(await ship(id, { ...one, status: "label_created" }));
    expect(label).toMatchObject({ status: "label_created", shipped_at: null });
    expect(await stock()).toEqual([50, 3]);
    expect(await getOrder(id)).toMatchObject({ fulfilment_status: "unfulfilled" });
    expect(await ship(id, await unitsOf(id, 3))).toMatchObject(ruleViolation("QUANTITY_TOO_LARGE"));
    expect(await ship(id, one)).toMatchObject({ status: 201 });
    expect(await getOrder(id)).toMatchObject({ fulfilment_status: "partially_fulfilled" });
    expect(dataOf(await ship(id))).toMatchObject(one);
    expect(await ship(id)).toMatchObject(ruleViolation("QUANTITY_TOO_LARGE"));
    expect(await stock()).toEqual([48, 1]);
    await move(id, label.id, { status: "in_transit" });
    expect(await stock()).toEqual([47, 0]);
    expect(await getOrder(id)).toMatchObject({ fulfilment_status: "fulfilled" });
  });

  it("gives the units of a label that failed to the next shipment", async () => {
    const { id } = await placeOrder();
    const label = dataOf(await ship(id, { status: "label_created" }));
    await move(id, label.id, { status: "failed" });
    expect(await stock()).toEqual([50, 3]);
    expect(await ship(id)).toMatchObject({ status: 201 });
    expect(await stock()).toEqual([47, 0]);
    expect(await move(id, label.id, { status: "shipped" })).toMatchObject(
      ruleViolation("INVALID_STATE"),
    );
  });

  it("ships a unit once when shipments are created concurrently", async () => {
    const { id } = await placeOrder();
    const two = await unitsOf(id, 2);
    const answers = await Promise.all([ship(id, two), ship(id, two), ship(id, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(await stock()).toEqual([48, 1]);
  });

  it("takes the stock of a bundle's components and of the location that it ships from", async () => {
    const cup = dataOf(
      await ask("POST", "/products", {
        body: { name: "Cup", default_price: "5", inventory_type: "tracked" },
      }),
    );
    const bundle = dataOf(
      await ask("POST", "/bundles", {
        body: {
          name: "Set",
          default_price: "12",
          pricing: { type: "fixed", value: "12" },
          components: [{ name: "The cups", product_id: cup.id, quantity: 2 }],
        },
      }),
    );
    const spare = dataOf(await ask("POST", "/locations", { body: { name: "Spare" } }));
    const [home] = shop.business.locations;
    const count = (locationId: unknown, quantity_on_hand: number) =>
      ask("PUT", `/inventory/${cup.id}/locations/${locationId}`, { body: { quantity_on_hand } });
    await count(home?.id, 10);
    await count(spare.id, 3);
    const { id } = await createOrder(shop, bundle.product_id, { quantity: 3 });
    const levels = async () =>
      (
        await selectRows(
          shop,
          "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ? order by location_id = ?",
          cup.id,
          spare.id,
        )
      ).map((level) => Object.values(level));
    expect(await levels()).toEqual([
      [10, 6],
      [3, 0],
    ]);
    await ship(id, { ...(await unitsOf(id, 1)), location_id: home?.id });
    expect(await levels()).toEqual([
      [8, 4],
      [3, 0],
    ]);
    // The spare location has three cups; the fourth leaves where it is reserved.
    await ship(id, { location_id: spare.id });
    expect(await levels()).toEqual([
      [7, 0],
      [0, 0],
    ]);
  });

  it("takes the components of a bundle that was ordered before the items were stored", async () => {
    const bundle = dataOf(
      await ask("POST", "/bundles", {
        body: {
          name: "Set",
          default_price: "12",
          pricing: { type: "fixed", value: "12" },
          components: [{ name: "The cups", product_id: product.id, quantity: 2 }],
        },
      }),
    );
    const { id } = await createOrder(shop, bundle.product_id, { quantity: 3 });
    await selectRows(shop, "update order_lines set stock_per_unit = null where order_id = ?", id);
    await ship(id, await unitsOf(id, 1));
    expect(await stock()).toEqual([48, 4]);
    await ask("POST", `/orders/${id}/cancel`, { body: {} });
    expect(await stock()).toEqual([48, 0]);
  });

  it("does not ship pickup orders, digital products and products without shipping", async () => {
    const digital = await createProduct(shop, { productType: "digital" });
    const download = await createOrder(shop, digital.id);
    const pickup = await placeOrder({ fields: { order_type: "pickup" } });
    const unshipped = await createProduct(shop, { name: "Voucher", requiresShipping: false });
    const voucher = await createOrder(shop, unshipped.id);
    for (const { id } of [download, pickup, voucher]) {
      expect(await getOrder(id)).toMatchObject({ fulfilment_status: "not_required" });
      expect(await ship(id)).toMatchObject(ruleViolation("QUANTITY_TOO_LARGE"));
    }
  });

  it("rejects a cancelled order, unknown records and unsafe addresses", async () => {
    const { id } = await placeOrder();
    const [item] = (await unitsOf(id, 1)).items;
    const statusOf = async (body: object) => (await ship(id, body)).status;
    expect(await statusOf({ items: [{ order_item_id: "li_none", quantity: 1 }] })).toBe(400);
    expect(await statusOf({ location_id: "loc_none" })).toBe(400);
    expect(await statusOf({ items: [] })).toBe(400);
    expect(await statusOf({ items: [item, item] })).toBe(400);
    expect(await statusOf({ status: "returned" })).toBe(400);
    for (const tracking_url of [
      "http://carrier.example.com/1",
      "javascript:alert(1)",
      "https://carrier.example.com@evil.example/1",
      "https://127.0.0.1/1",
      "https://localhost/1",
      "https://carrier.example.com/a b",
      "//carrier.example.com/1",
    ]) {
      const { status, body } = await ship(id, { tracking_url });
      expect([status, Object(body).error.context.field]).toEqual([400, "tracking_url"]);
    }
    expect(await stock()).toEqual([50, 3]);
    await ask("POST", `/orders/${id}/cancel`, { body: {} });
    expect(await ship(id)).toMatchObject(ruleViolation("INVALID_STATE"));
    expect((await ship("ord_none")).status).toBe(404);
    expect((await move(id, "shp_none", { status: "failed" })).status).toBe(404);
  });
});

describe("PATCH /orders/{order_id}/shipments/{shipment_id}", () => {
  const states = ["label_created", "shipped", "in_transit", "delivered", "failed", "returned"];
  const path: Readonly<Record<string, readonly string[]>> = {
    label_created: [],
    shipped: ["shipped"],
    in_transit: ["in_transit"],
    delivered: ["delivered"],
    failed: ["shipped", "failed"],
    returned: ["shipped", "returned"],
  };
  const allowed: Readonly<Record<string, readonly string[]>> = {
    label_created: states,
    shipped: ["shipped", "in_transit", "delivered", "failed", "returned"],
    in_transit: ["in_transit", "delivered", "failed", "returned"],
    delivered: ["delivered", "returned"],
    failed: ["failed", "returned"],
    returned: ["returned"],
  };

  it.each(states)("moves on from %s and never back", async (from) => {
    const { id } = await placeOrder({ payWith: "cash", quantity: 6 });
    const one = await unitsOf(id, 1);
    const accepted: string[] = [];
    for (const to of states) {
      const shipment = dataOf(await ship(id, { ...one, status: "label_created" }));
      for (const status of path[from] ?? []) await move(id, shipment.id, { status });
      const { status } = await move(id, shipment.id, { status: to });
      if (status === 200) accepted.push(to);
      else expect(status).toBe(422);
    }
    expect(accepted).toEqual(allowed[from]);
  });

  it("changes what is sent, stores when it left and arrived, and does nothing for a repeat", async () => {
    const { id } = await placeOrder({ payWith: "cash" });
    const { id: shipmentId } = dataOf(await ship(id, { carrier: "DHL" }));
    const delivered = await move(id, shipmentId, { tracking_number: "7", status: "delivered" });
    expect(dataOf(delivered)).toMatchObject({
      carrier: "DHL",
      tracking_number: "7",
      status: "delivered",
      delivered_at: expect.stringMatching(/Z$/),
    });
    expect(dataOf(await move(id, shipmentId, { status: "delivered" }))).toEqual(dataOf(delivered));
    expect(dataOf(await move(id, shipmentId, { carrier: null }))).toMatchObject({ carrier: null });
    const events = await listOutboxEventTypes(shop);
    expect(events.filter((type) => type === "shipment.updated")).toHaveLength(2);
    expect(await listAuditActions(shop)).toContain("shipment.updated");
  });

  it("gives nothing back to stock for a shipment that failed or came back", async () => {
    const { id } = await placeOrder();
    const { id: shipmentId } = dataOf(await ship(id));
    for (const status of ["failed", "returned"]) {
      await move(id, shipmentId, { status });
      expect(await stock()).toEqual([47, 0]);
    }
    expect(await ship(id)).toMatchObject(ruleViolation("QUANTITY_TOO_LARGE"));
    await ask("POST", `/orders/${id}/refunds`, { body: { restock: true } });
    expect(await stock()).toEqual([50, 0]);
  });
});

describe("an order with shipments", () => {
  it("is completed when it is paid and all of it has arrived", async () => {
    const { id } = await placeOrder();
    const { id: first } = dataOf(await ship(id, await unitsOf(id, 1)));
    const { id: second } = dataOf(await ship(id));
    await move(id, first, { status: "delivered" });
    expect(await getOrder(id)).toMatchObject({ status: "confirmed" });
    await move(id, second, { status: "delivered" });
    expect(await getOrder(id)).toMatchObject({
      status: "completed",
      fulfilment_status: "fulfilled",
    });
    expect(await listOutboxEventTypes(shop)).toContain("order.completed");
    expect(await stock()).toEqual([47, 0]);
  });

  it("is completed by its payment when all of it has arrived before", async () => {
    const { id } = await placeOrder({ payWith: "cash" });
    await ship(id, { status: "delivered" });
    expect(await getOrder(id)).toMatchObject({ status: "pending" });
    await ask("POST", `/orders/${id}/payments/mark-paid`, { body: {} });
    expect(await getOrder(id)).toMatchObject({ status: "completed" });
    const events = await listOutboxEventTypes(shop);
    expect(events.filter((type) => type === "order.completed")).toHaveLength(1);
    expect(events).not.toContain("order.updated");
  });

  it("takes at its completion from stock what was not shipped, and nothing later", async () => {
    const { id } = await placeOrder();
    const label = dataOf(await ship(id, { ...(await unitsOf(id, 1)), status: "label_created" }));
    await ship(id, await unitsOf(id, 1));
    await ask("POST", `/orders/${id}/status`, { body: { status: "completed" } });
    expect(await stock()).toEqual([47, 0]);
    expect(await getOrder(id)).toMatchObject({ fulfilment_status: "fulfilled" });
    await move(id, label.id, { status: "shipped" });
    await ship(id);
    expect(await stock()).toEqual([47, 0]);
    await ask("POST", `/orders/${id}/refunds`, { body: { restock: true } });
    expect(await stock()).toEqual([50, 0]);
  });

  it("refunds and releases at its cancellation what was not shipped", async () => {
    const sale = await placeOrder();
    const { id } = sale;
    const one = await unitsOf(id, 1);
    const label = dataOf(await ship(id, { ...one, status: "label_created" }));
    const { id: shipmentId } = dataOf(await ship(id, one));
    const { total_price } = await getOrder(id);
    const cancelled = await ask("POST", `/orders/${id}/cancel`, { body: {} });
    const refund = String((Number(total_price) * 2) / 3);
    expect(dataOf(cancelled)).toMatchObject({
      status: "cancelled",
      payment_status: "partially_refunded",
      fulfilment_status: "partially_fulfilled",
      payment: { refunds: [{ status: "refunded" }] },
    });
    expect(Number(await readRefundedMinor(shop, sale))).toBe(Math.round(Number(refund) * 100));
    expect(await stock()).toEqual([49, 0]);
    expect(await move(id, label.id, { status: "shipped" })).toMatchObject(
      ruleViolation("INVALID_STATE"),
    );
    expect(await move(id, shipmentId, { status: "returned" })).toMatchObject({ status: 200 });
    await ask("POST", `/orders/${id}/refunds`, { body: { restock: true } });
    expect(await stock()).toEqual([50, 0]);
    expect(await getOrder(id)).toMatchObject({ payment_status: "refunded" });
  });

  it("subtracts from the refund of a cancellation what was refunded before", async () => {
    const sale = await placeOrder();
    await ship(sale.id, await unitsOf(sale.id, 2));
    const { total_price } = await getOrder(sale.id);
    const amount = (Number(total_price) / 6).toFixed(2);
    await ask("POST", `/orders/${sale.id}/refunds`, { body: { amount } });
    await ask("POST", `/orders/${sale.id}/cancel`, { body: {} });
    expect(Number(await readRefundedMinor(shop, sale))).toBe(
      Math.round((Number(total_price) * 100) / 3),
    );
  });

  it("cannot be cancelled when all of it has left, by nobody", async () => {
    const { id, token } = await placeOrder();
    await ship(id);
    expect(await ask("POST", `/orders/${id}/cancel`, { body: {} })).toMatchObject(
      ruleViolation("ORDER_NOT_CANCELLABLE"),
    );
    expect(
      await shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body: {} }),
    ).toMatchObject(ruleViolation("ORDER_NOT_CANCELLABLE"));
  });

  it.each(["returned", "failed"])(
    "is cancelled by the business when all of it is %s and unpaid",
    async (status) => {
      const { id, token } = await placeOrder({ payWith: "cash" });
      const { id: shipmentId } = dataOf(await ship(id));
      await move(id, shipmentId, { status });
      expect(
        await shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body: {} }),
      ).toMatchObject(ruleViolation("ORDER_NOT_CANCELLABLE"));
      expect(dataOf(await ask("POST", `/orders/${id}/cancel`, { body: {} }))).toMatchObject({
        status: "cancelled",
        payment_status: "cancelled",
        payment: { refunds: [] },
      });
      expect(await stock()).toEqual([47, 0]);
      expect(dataOf(await ask("GET", "/reports/sales"))).toMatchObject({ revenue: "0.00" });
    },
  );

  it("refunds at its cancellation what came back, also when that was refunded before", async () => {
    const sale = await placeOrder();
    const { id: shipmentId } = dataOf(await ship(sale.id, await unitsOf(sale.id, 1)));
    await move(sale.id, shipmentId, { status: "returned" });
    const { total_price } = await getOrder(sale.id);
    const amount = (Number(total_price) / 3).toFixed(2);
    await ask("POST", `/orders/${sale.id}/refunds`, { body: { amount } });
    await ask("POST", `/orders/${sale.id}/cancel`, { body: {} });
    expect(Number(await readRefundedMinor(shop, sale))).toBe(Math.round(Number(total_price) * 100));
    expect(await stock()).toEqual([49, 0]);
  });

  it("is still to be paid in cash for what left before it was cancelled", async () => {
    const { id } = await placeOrder({ payWith: "cash" });
    await ship(id, await unitsOf(id, 1));
    const { total_price } = await getOrder(id);
    await ask("POST", `/orders/${id}/cancel`, { body: {} });
    expect(await getOrder(id)).toMatchObject({ status: "cancelled", payment_status: "pending" });
    const paid = dataOf(await ask("POST", `/orders/${id}/payments/mark-paid`, { body: {} }));
    expect(paid).toMatchObject({
      status: "cancelled",
      payment_status: "partially_refunded",
      payment: { refunds: [{ status: "refunded" }] },
    });
    expect(Number(paid.payment.refunds[0].amount)).toBeCloseTo((Number(total_price) * 2) / 3, 2);
    expect(await getOrder(id)).toMatchObject({ payment_status: "partially_refunded" });
    const report = dataOf(await ask("GET", "/reports/sales"));
    expect(Number(report.revenue)).toBeCloseTo(Number(total_price) / 3, 2);
  });

  it("is not shipped any more once its items were returned to stock", async () => {
    const { id } = await placeOrder();
    const label = dataOf(await ship(id, { ...(await unitsOf(id, 1)), status: "label_created" }));
    await ask("POST", `/orders/${id}/refunds`, { body: { amount: "1", restock: true } });
    expect(await stock()).toEqual([50, 0]);
    expect(await ship(id)).toMatchObject(ruleViolation("QUANTITY_TOO_LARGE"));
    expect(await move(id, label.id, { status: "shipped" })).toMatchObject(
      ruleViolation("INVALID_STATE"),
    );
    expect(await stock()).toEqual([50, 0]);
  });

  it("does not expire unpaid once units have left, and does with a label alone", async () => {
    const shipped = await placeOrder({ payWith: "2" });
    await ship(shipped.id, await unitsOf(shipped.id, 1));
    const labelled = await placeOrder({ payWith: "2" });
    const label = dataOf(await ship(labelled.id, { status: "label_created" }));
    vi.setSystemTime(Date.now() + hour);
    await runJobsUntilIdle(shop);
    expect(await getOrder(shipped.id)).toMatchObject({ status: "pending" });
    expect(await getOrder(labelled.id)).toMatchObject({
      status: "cancelled",
      fulfilment_status: "unfulfilled",
    });
    expect(await stock()).toEqual([49, 2]);
    expect(await move(labelled.id, label.id, { status: "delivered" })).toMatchObject(
      ruleViolation("INVALID_STATE"),
    );
  });

  it("is bounded by the schema as well", async () => {
    const { id } = await placeOrder();
    const [item] = (await getOrder(id)).items;
    const failed = dataOf(await ship(id, { status: "label_created" }));
    await move(id, failed.id, { status: "failed" });
    const { id: shipmentId } = dataOf(await ship(id, await unitsOf(id, 2)));
    const { id: otherId } = dataOf(await ship(id, await unitsOf(id, 1)));
    const write = (query: string, ...values: unknown[]) => selectRows(shop, query, ...values);
    const remove = () => write("delete from shipment_items where shipment_id = ?", otherId);
    const add = (quantity: number, lineId = item.id) =>
      write(
        "insert into shipment_items values (?, ?, ?, ?)",
        otherId,
        lineId,
        shop.business.id,
        quantity,
      );
    await remove();
    await expect(add(2)).rejects.toThrow("shipment_items_within_order");
    await expect(add(1, "li_none")).rejects.toThrow("shipment_items_within_order");
    await add(1);
    for (const [query, of] of [
      ["update shipments set status = 'shipped', shipped_at = 1 where id = ?", failed.id],
      ["update shipments set status = 'label_created', shipped_at = null where id = ?", shipmentId],
    ] as const)
      await expect(write(query, of)).rejects.toThrow("shipments_voided");
  });

  it("shows its tracking in the export until the customer's data are erased", async () => {
    const { id, number } = await placeOrder();
    await ship(id, { tracking_number: "JD01", tracking_url: "https://carrier.example.com/JD01" });
    const { body } = await ask("GET", "/orders/export");
    expect(String(body)).toContain(`fulfilled,JD01`);
    const customer = dataOf(await ask("POST", "/customers", { body: { name: "Ama" } }));
    await selectRows(shop, "update orders set customer_id = ? where id = ?", customer.id, id);
    const data = dataOf(await ask("GET", `/customers/${customer.id}/data`));
    expect(data.orders[0].shipments[0]).toMatchObject({ tracking_number: "JD01" });
    await ask("DELETE", `/customers/${customer.id}/data`);
    const [shipment] = (await getOrder(number)).shipments;
    expect(shipment).toMatchObject({ tracking_number: null, tracking_url: null });
    const [event] = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'shipment.created'",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toMatchObject({
      tracking_number: null,
      tracking_url: null,
      order_number: number,
    });
  });
});
