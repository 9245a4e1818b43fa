import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  createOrder,
  type PlacedOrder,
  readRefundedMinor,
  readStockQuantities,
} from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { type ApiResponse, dataOf, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  ({ shop, product } = await createShopWithStock());
  await merchant(shop)("GET", "/orders"); // caches the key, as the shopper's is
});

type Headers = Readonly<Record<string, string>>;
type Cancels = (sale: PlacedOrder, headers: Headers, reason?: string) => Promise<ApiResponse>;

const byShopper: Cancels = ({ id, token }, headers, reason = "Late") =>
  shopper(shop)("POST", `/orders/${id}/cancel?token=${token}`, { body: { reason }, headers });
const byMerchant: Cancels = ({ id }, headers, reason = "Late") =>
  merchant(shop)("POST", `/orders/${id}/cancel`, { body: { reason }, headers });

const keyed = { "Idempotency-Key": "one-attempt" };
const isReplay = ({ headers }: ApiResponse) => headers.get("Idempotency-Replayed") === "true";

describe.each([
  ["a shopper's cancel", byShopper],
  ["a merchant's cancel", byMerchant],
])("%s", (_who, cancel) => {
  describe.each([
    ["without an Idempotency-Key", {}],
    ["with one", keyed],
  ])("%s", (_with, headers) => {
    it("takes two round trips for an unpaid order", async () => {
      const cancelled = await cancel(
        await createOrder(shop, product.id, { payWith: "cash" }),
        headers,
      );
      expect(dataOf(cancelled)).toMatchObject({ status: "cancelled" });
      expect(roundTrips(cancelled)).toMatchObject({ d1: 2, do: 0 });
    });

    it("takes three round trips with a refund", async () => {
      const sale = await createOrder(shop, product.id);
      const cancelled = await cancel(sale, headers);
      expect(dataOf(cancelled)).toMatchObject({ status: "cancelled", payment_status: "refunded" });
      expect(roundTrips(cancelled)).toMatchObject({ d1: 3, do: 0 });
    });

    it("takes three round trips when the payment was captured meanwhile", async () => {
      const sale = await createOrder(shop, product.id, { payWith: "2" });
      await selectRows(
        shop,
        "update sandbox_charges set status = 'captured' where order_id = ?",
        sale.id,
      );
      const cancelled = await cancel(sale, headers);
      expect(dataOf(cancelled)).toMatchObject({
        status: "cancelled",
        payment_status: "refunded",
        status_history: [{ status: "pending" }, { status: "cancelled" }],
      });
      expect(roundTrips(cancelled)).toMatchObject({ d1: 3, do: 0 });
      expect(await readRefundedMinor(shop, sale)).toBe(5_000);
      expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
      expect((await listOutboxEventTypes(shop)).toSorted()).toEqual([
        "order.cancelled",
        "order.created",
        "payment.completed",
        "payment.refunded",
      ]);
    });
  });

  it("replays the first response for the same Idempotency-Key", async () => {
    const sale = await createOrder(shop, product.id);
    const first = await cancel(sale, keyed);
    const second = await cancel(sale, keyed);
    expect([second.status, isReplay(first), isReplay(second)]).toEqual([200, false, true]);
    expect(second.body).toEqual(first.body);
    expect(roundTrips(second).d1).toBeLessThanOrEqual(2);
    expect((await cancel(sale, keyed, "Early")).status).toBe(409);
  });

  it("refunds once when it is sent concurrently under one key", async () => {
    const sale = await createOrder(shop, product.id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(sale, keyed)));
    const fresh = answers.filter((answer) => answer.status === 200 && !isReplay(answer));
    expect(fresh).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
  });
});

describe.each([
  ["without an Idempotency-Key", {}],
  ["with one", keyed],
])("a merchant's change of an order %s", (_with, headers) => {
  it("takes two round trips for a status change and for mark-paid", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "cash" });
    for (const [path, body] of [
      [`/orders/${id}/payments/mark-paid`, {}],
      [`/orders/${id}/status`, { status: "ready" }],
    ] as const) {
      const changed = await merchant(shop)("POST", path, { body, headers });
      expect(changed.status).toBe(200);
      expect(roundTrips(changed)).toMatchObject({ d1: 2, do: 0 });
    }
  });

  it("takes three round trips for a refund, and one more to store its Idempotency-Key", async () => {
    const { id } = await createOrder(shop, product.id);
    const refunded = await merchant(shop)("POST", `/orders/${id}/refunds`, {
      ...{ body: { amount: "1" }, headers },
    });
    expect(refunded.status).toBe(201);
    expect(roundTrips(refunded)).toMatchObject({ d1: headers === keyed ? 4 : 3, do: 0 });
  });
});

describe("a quote", () => {
  it.each([
    ["without an Idempotency-Key takes one round trip to create and two to refresh", {}, 0],
    ["with an Idempotency-Key takes one more", keyed, 1],
  ])("%s", async (_what, headers, kept) => {
    const ask = shopper(shop);
    await ask("GET", "/cart/count"); // caches the key
    const body = { product_id: product.id };
    const made = await ask("POST", "/catalogue/quotes", { body, headers });
    expect(roundTrips(made)).toMatchObject({ d1: 1 + kept, do: 0 });
    const refreshed = await ask("POST", `/catalogue/quotes/${dataOf(made).quote_id}/refresh`, {
      ...{ body: {}, headers },
    });
    expect(refreshed.status).toBe(200);
    // The session takes the new price into its cart.
    expect(roundTrips(refreshed)).toMatchObject({ d1: 2 + kept, do: 1 });
  });
});
