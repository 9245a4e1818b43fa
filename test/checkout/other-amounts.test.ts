import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { giveUpCheckout, isStarted, resultOf } from "../../shared/checkout/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { cancelUnpaidOrder, claimExpiredOrders } from "../../shared/orders/index.ts";
import { givenBusiness } from "../support/world.ts";
import { captured, declined, forgetRefunds, payments, ran } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

describe("a capture of another amount than was asked for", () => {
  const less = { ...captured, amountMinor: 999 };

  it("is no success of the checkout, and is not asked for again", async () => {
    const { ctx, checkout, charged, retry } = await ran(shop, less);
    expect(isStarted(checkout)).toBe(false);
    expect(() => resultOf(ctx, checkout)).toThrow(/another amount/);
    const retried = await retry();
    expect(isStarted(retried)).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("is told of once, and stands on the payment for a human", async () => {
    const { alerts, paid, hear, checkout } = await ran(shop, { ...captured, currency: "NGN" });
    await hear(checkout.reference);
    const { reference } = checkout;
    expect((await paid()).payment).toMatchObject({
      status: "processing",
      mismatch: { reference, amountMinor: 1_000, currency: "NGN" },
    });
    expect(alerts).toMatchObject([
      { what: "captured another amount", reference, amountMinor: 1_000, currency: "NGN" },
    ]);
    expect(await payments(shop)).toEqual([]);
  });

  it("keeps its order from a silent end, whoever would end it", async () => {
    const { ctx, checkout, paid } = await ran(shop, less);
    const expired = await claimExpiredOrders(ctx.db, { now: ctx.now() + day, limit: 1_000 });
    expect(expired.map(({ id }) => id)).not.toContain(checkout.plan.orderId);
    await cancelUnpaidOrder(ctx, await paid(), "Nobody paid.");
    expect(await giveUpCheckout(ctx, checkout)).toBe("given_up");
    expect(await paid()).toMatchObject({
      order: { status: "pending", expiresAt: null },
      payment: { status: "processing" },
    });
  });

  it("settles when the provider puts it right, and stays on record", async () => {
    const { alerts, stands, paid, hear, checkout } = await ran(shop, less);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    expect(await paid()).toMatchObject({
      order: { status: "confirmed" },
      payment: { status: "captured", mismatch: { amountMinor: 999 } },
    });
    expect(alerts).toHaveLength(1);
  });

  it("is found out by a retry as well", async () => {
    const { stands, checkout, hear, retry, charged, alerts } = await ran(shop, declined);
    stands.set(checkout.reference, less);
    await hear(checkout.reference);
    expect(isStarted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
    expect(alerts).toHaveLength(1);
  });
});
