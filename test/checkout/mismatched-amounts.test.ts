import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  abandonCheckout,
  isCompleted,
  requireCheckoutResult,
} from "../../shared/checkout/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { cancelUnpaidOrder, claimExpiredOrders } from "../../shared/orders/index.ts";
import { createBusiness } from "../support/world.ts";
import {
  captured,
  declined,
  deleteRefunds,
  listPaymentEvents,
  runScriptedCheckout,
} from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

describe("a capture of another amount than requested", () => {
  const less = { ...captured, amountMinor: 999 };

  it("does not complete the checkout and is not requested again", async () => {
    const { ctx, checkout, charged, retry } = await runScriptedCheckout(shop, less);
    expect(isCompleted(checkout)).toBe(false);
    expect(() => requireCheckoutResult(ctx, checkout)).toThrow(/another amount/);
    const retried = await retry();
    expect(isCompleted(retried)).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("is reported once and noted on the payment for a human", async () => {
    const { alerts, loadOrder, receiveNotice, checkout } = await runScriptedCheckout(shop, {
      ...captured,
      currency: "NGN",
    });
    await receiveNotice(checkout.reference);
    const { reference } = checkout;
    expect((await loadOrder()).payment).toMatchObject({
      status: "processing",
      mismatch: { reference, amountMinor: 1_000, currency: "NGN" },
    });
    expect(alerts).toMatchObject([
      { what: "captured another amount", reference, amountMinor: 1_000, currency: "NGN" },
    ]);
    expect(await listPaymentEvents(shop)).toEqual([]);
  });

  it("keeps its order from being cancelled without a human", async () => {
    const { ctx, checkout, loadOrder } = await runScriptedCheckout(shop, less);
    const expired = await claimExpiredOrders(ctx.db, {
      now: ctx.now() + day,
      limit: 1_000,
      maxBytes: 1_000_000,
    });
    expect(expired.map(({ id }) => id)).not.toContain(checkout.plan.orderId);
    await cancelUnpaidOrder(ctx, await loadOrder(), "Nobody paid.");
    expect(await abandonCheckout(ctx, checkout)).toBe("abandoned");
    expect(await loadOrder()).toMatchObject({
      order: { status: "pending", expiresAt: null },
      payment: { status: "processing" },
    });
  });

  it("settles when the provider corrects it, and stays on record", async () => {
    const { alerts, results, loadOrder, receiveNotice, checkout } = await runScriptedCheckout(
      shop,
      less,
    );
    results.set(checkout.reference, captured);
    await receiveNotice(checkout.reference);
    expect(await loadOrder()).toMatchObject({
      order: { status: "confirmed" },
      payment: { status: "captured", mismatch: { amountMinor: 999 } },
    });
    expect(alerts).toHaveLength(1);
  });

  it("is detected by a retry as well", async () => {
    const { results, checkout, receiveNotice, retry, charged, alerts } = await runScriptedCheckout(
      shop,
      declined,
    );
    results.set(checkout.reference, less);
    await receiveNotice(checkout.reference);
    expect(isCompleted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
    expect(alerts).toHaveLength(1);
  });
});
