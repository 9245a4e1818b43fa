import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { orderListRepo, orderRepo } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenCustomer, phoneOf } from "../support/customers.ts";
import { givenDeal } from "../support/deals.ts";
import { dataOf, givenBack, givenSale, piecesOf, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 10);
});

const cancel = (
  { id, token }: Sold,
  { body, key }: { body?: object; key?: string } = {},
  caller = shopper(shop),
) =>
  caller("POST", `/orders/${id}/cancel?token=${token}`, {
    ...(body && { body }),
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const bytesOf = ({ body }: { body: unknown }) => JSON.stringify(body);

const refundsOf = (id: string) =>
  rowsOf(shop, "select status, amount_minor from refunds where order_id = ?", id);

describe("POST /orders/{order_id}/cancel", () => {
  it("answers a repeat byte for byte, whatever became of the order since; another body is 409", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash" });
    const first = await cancel(sale, { key: "once", body: { reason: "late" } });
    await rowsOf(shop, "update orders set updated_at = updated_at + 1 where id = ?", sale.id);
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

  it("cancels an unpaid order for the token's holder, gives its stock back and answers the order", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash" });
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
    expect(await piecesOf(shop, product.id)).toEqual([10, 0]);
    expect(await eventsOf(shop)).toEqual(["order.created", "order.cancelled"]);
    expect(await refundsOf(sale.id)).toEqual([]);
  });

  it("refunds a captured payment at the provider, once, and tells so", async () => {
    const sale = await givenSale(shop, product.id);
    const answer = await cancel(sale);
    expect(dataOf(answer)).toMatchObject({
      status: "cancelled",
      payment_status: "refunded",
      cancellation_reason: null,
    });
    // One beyond the budget: the provider stands between the order's end and the refund's.
    expect(roundTrips(answer)).toMatchObject({ d1: 3, do: 0 });
    expect(await givenBack(shop, sale)).toBe(5_000);
    expect(await refundsOf(sale.id)).toEqual([{ status: "refunded", amount_minor: 5_000 }]);
    expect((await eventsOf(shop)).slice(-2)).toEqual(["order.cancelled", "payment.refunded"]);
    const [event] = await rowsOf(
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

  it("gives the uses of deals back", async () => {
    await givenDeal(shop, { code: "TEN", usageLimit: 1 });
    const buyer = shopper(shop);
    await buyer("POST", "/cart/items", { body: { item_id: product.id } });
    await buyer("POST", "/cart/coupons", { body: { coupon_code: "TEN" } });
    const sale = await givenSale(shop, product.id, { how: "cash", quantity: 1, ask: buyer });
    const used = async () =>
      (
        await rowsOf(
          shop,
          "select times_redeemed from deals where business_id = ?",
          shop.business.id,
        )
      )[0]?.times_redeemed;
    const before = await used();
    await cancel(sale);
    expect([before, await used()]).toEqual([1, 0]);
  });

  it("asks the provider about an open payment first: money that came is refunded", async () => {
    const sale = await givenSale(shop, product.id, { how: "2" });
    await rowsOf(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ?",
      sale.id,
    );
    const answer = await cancel(sale);
    expect(dataOf(answer)).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    // One beyond the budget: the refund stands before the provider is asked for it.
    expect(roundTrips(answer)).toMatchObject({ d1: 3, do: 0 });
    expect(await givenBack(shop, sale)).toBe(5_000);
    expect((await eventsOf(shop)).filter((type) => type.startsWith("payment."))).toEqual([
      "payment.completed",
      "payment.refunded",
    ]);
  });

  it("refuses a final order", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash" });
    await cancel(sale);
    expect(await cancel(sale)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" }, retryable: false } },
    });
    const done = await givenSale(shop, product.id, { how: "cash" });
    await merchant(shop)("POST", `/orders/${done.id}/status`, { body: { status: "completed" } });
    expect(await cancel(done)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" } } },
    });
  });

  it("answers a repeat under the same key without doing it again, and another body with 409", async () => {
    const sale = await givenSale(shop, product.id);
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
    expect(await givenBack(shop, sale)).toBe(5_000);
  });

  it("cancels and refunds once, however many ask at once", async () => {
    const sale = await givenSale(shop, product.id);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => cancel(sale, { key: "same" })),
      ...Array.from({ length: 4 }, () => cancel(sale)),
    ]);
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await givenBack(shop, sale)).toBe(5_000);
    expect(await refundsOf(sale.id)).toHaveLength(1);
    expect(await piecesOf(shop, product.id)).toEqual([10, 0]);
    const events = await eventsOf(shop);
    expect(events.filter((type) => type === "order.cancelled")).toHaveLength(1);
    expect(events.filter((type) => type === "payment.refunded")).toHaveLength(1);
  });

  it("looks alike for a wrong token, none, and an order that does not exist", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash" });
    const refusals = [
      await ask("POST", `/orders/${sale.id}/cancel?token=bt_wrong`),
      await ask("POST", `/orders/${sale.id}/cancel`),
      await ask("POST", `/orders/ord_none/cancel?token=${sale.token}`),
      await cancel(sale, {}, shopper(await givenBusiness())),
    ];
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, body: refusals[0]?.body });
    }
    expect(await piecesOf(shop, product.id)).toEqual([10, 2]);
  });

  it("takes a call without a body, whatever type it declares", async () => {
    const headers = { "Content-Type": "application/json" };
    for (const options of [{}, { headers }, { headers, raw: "" }]) {
      const sale = await givenSale(shop, product.id, { how: "cash" });
      const answer = await ask("POST", `/orders/${sale.id}/cancel?token=${sale.token}`, options);
      expect(dataOf(answer)).toMatchObject({ status: "cancelled", cancellation_reason: null });
    }
  });

  it("takes a reason of at most 500 characters", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash" });
    expect(await cancel(sale, { body: { reason: "x".repeat(501) } })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "reason" } } },
    });
  });
});

describe("GET /orders", () => {
  it("takes a customer's session", async () => {
    expect(await ask("GET", "/orders")).toMatchObject({
      status: 401,
      body: { error: { code: "UNAUTHORIZED" } },
    });
  });

  it("lists a customer's own orders, the newest first, in pages, by status and location", async () => {
    const sales: Sold[] = [];
    for (let sale = 0; sale < 3; sale += 1) {
      sales.push(await givenSale(shop, product.id, { how: "cash", quantity: 1 }));
    }
    const stranger = await givenSale(shop, product.id, { how: "cash", quantity: 1 });
    const ama = await givenCustomer(shop, phoneOf("+233200000001"));
    const login = { customerId: ama.id, loggedInAt: Date.now() };
    await rowsOf(
      shop,
      "update orders set customer_id = iif(id = ?, 'cus_other', ?) where business_id = ?",
      stranger.id,
      ama.id,
      shop.business.id,
    );
    await cancel(sales[0] ?? stranger);
    const orders = orderListRepo(contextFor(shop));
    const idsOf = async (page: object) =>
      (await orders.listOfCustomer(login, { limit: 20, offset: 0, ...page }))?.map(
        ({ order }) => order.id,
      );
    const newest = sales.map(({ id }) => id).reverse();
    expect(await idsOf({})).toEqual(newest);
    expect(await idsOf({ limit: 1, offset: 1 })).toEqual([newest[1]]);
    expect(await idsOf({ status: "cancelled" })).toEqual([newest[2]]);
    expect(await idsOf({ locationId: shop.business.locations[0]?.id })).toEqual(newest);
    expect(await idsOf({ locationId: "loc_other" })).toEqual([]);
    const repo = orderRepo(contextFor(shop));
    expect((await repo.getOfCustomer(newest[0] ?? "", login)).order.id).toBe(newest[0]);
    await expect(repo.getOfCustomer(stranger.id, login)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
