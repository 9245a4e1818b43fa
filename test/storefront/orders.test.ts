import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { orderListQuery, orderRepo } from "../../shared/orders/index.ts";
import { createCustomer, phoneContact } from "../support/create-customer.ts";
import { createDeal } from "../support/create-deal.ts";
import {
  createOrder,
  type PlacedOrder,
  readRefundedMinor,
  readStockQuantities,
} from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  ({ shop, product, shopper: ask } = await createShopWithStock());
});

const cancel = (
  { id, token }: PlacedOrder,
  { body, key }: { body?: object; key?: string } = {},
  caller = shopper(shop),
) =>
  caller("POST", `/orders/${id}/cancel?token=${token}`, {
    ...(body && { body }),
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const bytesOf = ({ body }: { body: unknown }) => JSON.stringify(body);

const refundsOf = (id: string) =>
  selectRows(shop, "select status, amount_minor from refunds where order_id = ?", id);

describe("POST /orders/{order_id}/cancel", () => {
  it("replays a repeat after later changes of the order; another body is 409", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    const first = await cancel(sale, { key: "once", body: { reason: "late" } });
    await selectRows(shop, "update orders set updated_at = updated_at + 1 where id = ?", sale.id);
    const again = await cancel(sale, { key: "once", body: { reason: "late" } });
    expect(bytesOf(again)).toBe(bytesOf(first));
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await cancel(sale, { key: "once", body: { reason: "other" } })).toMatchObject({
      status: 409,
    });
    expect(await cancel({ ...sale, token: "bt_wrong" }, { key: "once" })).toMatchObject({
      status: 404,
    });
  });

  it("cancels an unpaid order by token and releases its stock", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    const answer = await cancel(sale, { body: { reason: "Changed my mind" } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          id: sale.id,
          status: "cancelled",
          payment_status: "cancelled",
          cancellation_reason: "Changed my mind",
          cancelled_at: expect.stringMatching(/Z$/),
          status_history: [
            { status: "pending", by: "customer" },
            { status: "cancelled", by: "customer" },
          ],
        },
      },
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "order.cancelled"]);
    expect(await refundsOf(sale.id)).toEqual([]);
  });

  it("refunds a captured payment once and emits payment.refunded", async () => {
    const sale = await createOrder(shop, product.id);
    const answer = await cancel(sale);
    expect(dataOf(answer)).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
      cancellation_reason: null,
    });
    // One round trip more than the budget: the provider is called between cancelling and recording
    // the refund.
    expect(roundTrips(answer)).toMatchObject({ d1: 3, do: 0 });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    expect(await refundsOf(sale.id)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
    expect((await listOutboxEventTypes(shop)).slice(-2)).toEqual([
      "order.cancelled",
      "payment.refunded",
    ]);
    const [event] = await selectRows(
      shop,
      "select data from events where business_id = ? and type = 'payment.refunded'",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toMatchObject({
      payment_id: sale.paymentId,
      order_id: sale.id,
      payment_status: "refunded",
      amount: "50.00",
      refund_amount: "50.00",
      currency: "GHS",
    });
    expect(
      dataOf(await ask("GET", `/orders/${sale.id}/payment-status?token=${sale.token}`)),
    ).toMatchObject({ payment_status: "refunded", settled_at: expect.any(String) });
  });

  it("releases deal redemptions", async () => {
    await createDeal(shop, { code: "TEN", usageLimit: 1 });
    const buyer = shopper(shop);
    await buyer("POST", "/cart/items", { body: { item_id: product.id } });
    await buyer("POST", "/cart/coupons", { body: { coupon_code: "TEN" } });
    const sale = await createOrder(shop, product.id, { payWith: "cash", quantity: 1, ask: buyer });
    const loadRedemptions = async () =>
      (
        await selectRows(
          shop,
          "select times_redeemed from deals where business_id = ?",
          shop.business.id,
        )
      )[0]?.times_redeemed;
    const before = await loadRedemptions();
    await cancel(sale);
    expect([before, await loadRedemptions()]).toEqual([1, 0]);
  });

  it("asks the provider about an open payment first and refunds a capture", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "2" });
    await selectRows(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ?",
      sale.id,
    );
    const answer = await cancel(sale);
    expect(dataOf(answer)).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    // One round trip more than the budget: the refund is stored before the provider is called.
    expect(roundTrips(answer)).toMatchObject({ d1: 3, do: 0 });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("payment.")),
    ).toEqual(["payment.completed", "payment.refunded"]);
  });

  it("rejects a final order", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    await cancel(sale);
    expect(await cancel(sale)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" }, retryable: false } },
    });
    const done = await createOrder(shop, product.id, { payWith: "cash" });
    await merchant(shop)("POST", `/orders/${done.id}/status`, { body: { status: "completed" } });
    expect(await cancel(done)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" } } },
    });
  });

  it("replays a repeat under the same key; another body is 409", async () => {
    const sale = await createOrder(shop, product.id);
    const first = await cancel(sale, { key: "one", body: { reason: "Late" } });
    const again = await cancel(sale, { key: "one", body: { reason: "Late" } });
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(await cancel(sale, { key: "one", body: { reason: "Early" } })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false } },
    });
    expect(await cancel(sale, { key: "two", body: { reason: "Late" } })).toMatchObject({
      status: 422,
    });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
  });

  it("cancels and refunds once under concurrent requests", async () => {
    const sale = await createOrder(shop, product.id);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => cancel(sale, { key: "same" })),
      ...Array.from({ length: 4 }, () => cancel(sale)),
    ]);
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    expect(await refundsOf(sale.id)).toHaveLength(1);
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
    const events = await listOutboxEventTypes(shop);
    expect(events.filter((type) => type === "order.cancelled")).toHaveLength(1);
    expect(events.filter((type) => type === "payment.refunded")).toHaveLength(1);
  });

  it("gives the same 404 for a wrong token, no token and an unknown order", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    const refusals = [
      await ask("POST", `/orders/${sale.id}/cancel?token=bt_wrong`),
      await ask("POST", `/orders/${sale.id}/cancel`),
      await ask("POST", `/orders/ord_none/cancel?token=${sale.token}`),
      await cancel(sale, {}, shopper(await createBusiness())),
    ];
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, body: refusals[0]?.body });
    }
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 2]);
  });

  it("accepts a request without a body and with any Content-Type", async () => {
    const headers = { "Content-Type": "application/json" };
    for (const options of [{}, { headers }, { headers, raw: "" }]) {
      const sale = await createOrder(shop, product.id, { payWith: "cash" });
      const answer = await ask("POST", `/orders/${sale.id}/cancel?token=${sale.token}`, options);
      expect(dataOf(answer)).toMatchObject({ status: "cancelled", cancellation_reason: null });
    }
  });

  it("accepts a reason of at most 500 characters", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash" });
    expect(await cancel(sale, { body: { reason: "x".repeat(501) } })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "reason" } } },
    });
  });
});

describe("GET /orders", () => {
  it("requires a customer's session", async () => {
    expect(await ask("GET", "/orders")).toMatchObject({
      status: 401,
      body: { error: { code: "UNAUTHORIZED" } },
    });
  });

  it("lists a customer's own orders, newest first, in pages, by status and location", async () => {
    const sales: PlacedOrder[] = [];
    for (let sale = 0; sale < 3; sale += 1) {
      sales.push(await createOrder(shop, product.id, { payWith: "cash", quantity: 1 }));
    }
    const otherCustomersSale = await createOrder(shop, product.id, {
      payWith: "cash",
      quantity: 1,
    });
    const ama = await createCustomer(shop, phoneContact("+233200000001"));
    const login = { customerId: ama.id, loggedInAt: Date.now() };
    await selectRows(
      shop,
      "update orders set customer_id = iif(id = ?, 'cus_other', ?) where business_id = ?",
      otherCustomersSale.id,
      ama.id,
      shop.business.id,
    );
    await cancel(sales[0] ?? otherCustomersSale);
    const orders = orderListQuery(contextFor(shop));
    const idsOf = async (page: object) =>
      (await orders.listOfCustomer(login, { limit: 20, offset: 0, before: null, ...page }))?.map(
        ({ order }) => order.id,
      );
    const newest = sales.map(({ id }) => id).reverse();
    expect(await idsOf({})).toEqual(newest);
    expect(await idsOf({ limit: 1, offset: 1 })).toEqual([newest[1]]);
    expect(await idsOf({ status: "cancelled" })).toEqual([newest[2]]);
    expect(await idsOf({ locationId: shop.business.locations[0]?.id })).toEqual(newest);
    expect(await idsOf({ locationId: "loc_other" })).toEqual([]);
    const repo = orderRepo(contextFor(shop));
    const access = { sessionId: "ses_other", login };
    expect((await repo.getOfSession(newest[0] ?? "", access)).order.id).toBe(newest[0]);
    await expect(repo.getOfSession(otherCustomersSale.id, access)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
