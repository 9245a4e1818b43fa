import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { payOrder } from "../../shared/checkout/index.ts";
import { unconfiguredRates } from "../../shared/fx/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import { orderRepo } from "../../shared/orders/index.ts";
import { createOrder, createOrderContext } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { Crash, crashAtEffect } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { type ApiClient, createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ApiClient;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-05-01T12:00:00Z"));
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

const pay = (id: string, lastDigit: number, key: string) =>
  ask("POST", `/orders/${id}/pay`, {
    body: {
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
    },
    headers: { "Idempotency-Key": key },
  });

const loadOrder = async (id: string) => dataOf(await merchant(shop)("GET", `/orders/${id}`));

const loadCharges = (id: string) =>
  selectRows(shop, "select status from sandbox_charges where order_id = ?", id);

describe("a provider that gives no answer to POST /orders/{order_id}/pay", () => {
  it("is 503, and the same key charges once when the provider answers again", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "cash", ask });
    const unanswered = await pay(id, 4, "lost");
    expect(unanswered).toMatchObject({
      status: 503,
      body: {
        error: {
          code: "SERVICE_UNAVAILABLE",
          retryable: true,
          context: { reason: "PROVIDER_UNAVAILABLE", order_id: id },
        },
      },
    });
    expect(await loadOrder(id)).toMatchObject({ status: "pending", payment_status: "processing" });
    expect(await pay(id, 4, "lost")).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured" } },
    });
    expect(await loadCharges(id)).toEqual([{ status: "captured" }]);
    expect((await loadOrder(id)).payments).toMatchObject([
      { payment_method: "cash" },
      { payment_method: "mobile_money", payment_status: "succeeded" },
    ]);
  });

  it("is 503, and another key sends the same charge", async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "cash", ask });
    await pay(id, 4, "lost");
    expect(await pay(id, 4, "other")).toMatchObject({ status: 200 });
    expect(await loadCharges(id)).toEqual([{ status: "captured" }]);
  });
});

describe("a payment whose run crashed", () => {
  /** Runs a payment that crashes before the provider is called, or after it has charged. */
  async function crashWhileCharging(id: string, when: "before" | "after"): Promise<void> {
    const details = await orderRepo(createOrderContext(shop)).get(id);
    const ctx = createOrderContext(shop, { crashPoint: crashAtEffect(2, when) });
    const fx = unconfiguredRates("none", "test");
    const crashed = payOrder({ ...ctx, fx }, details, {
      sessionId: details.payment.sessionId,
      paymentMethod: "mobile_money",
      mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
      returnUrls: { success: null, cancel: null },
      origin: "https://duka.test",
      payCurrency: null,
      fxQuoteId: null,
      metadata: {},
      receivedAt: Date.now(),
      requestKey: "crashed.request",
    });
    await expect(crashed).rejects.toBeInstanceOf(Crash);
  }

  it.each(["before", "after"] as const)(
    "%s the charge is taken over by another key when its lease ends, and charges once",
    async (when) => {
      const { id } = await createOrder(shop, product.id, { payWith: "cash", ask });
      await crashWhileCharging(id, when);
      expect(await loadCharges(id)).toHaveLength(when === "before" ? 0 : 1);
      expect(await pay(id, 0, "early")).toMatchObject({
        status: 409,
        body: { error: { retryable: true } },
      });
      vi.setSystemTime(Date.now() + minute + 1_000);
      expect(await pay(id, 0, "late")).toMatchObject({
        status: 200,
        body: { data: { payment_status: "captured" } },
      });
      expect(await loadCharges(id)).toEqual([{ status: "captured" }]);
      expect((await loadOrder(id)).payments).toMatchObject([
        { payment_method: "cash" },
        { payment_method: "mobile_money", payment_status: "succeeded" },
      ]);
    },
  );
});
