import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  abandonCheckout,
  isCompleted,
  requireCheckoutResult,
} from "../../shared/checkout/index.ts";
import { refundOrder } from "../../shared/orders/index.ts";
import { createBusiness } from "../support/world.ts";
import {
  captured,
  declined,
  deleteRefunds,
  runScriptedCheckout,
  waiting,
  wholeRefund,
} from "./scripted-provider.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

describe("a declined charge whose money arrives later", () => {
  it("is not charged again when the notice came before the retry", async () => {
    const { charged, results, checkout, receiveNotice, retry, ctx, loadOrder } =
      await runScriptedCheckout(shop, declined);
    results.set(checkout.reference, captured);
    await receiveNotice(checkout.reference);
    const retried = await retry();
    expect(charged).toEqual([checkout.reference]);
    expect(requireCheckoutResult(ctx, retried)).toMatchObject({
      paymentStatus: "captured",
      paymentReference: checkout.reference,
    });
    expect((await loadOrder()).payment.status).toBe("captured");
  });

  it("is not charged again without a notice, because the provider is asked first", async () => {
    const { charged, results, checkout, retry, ctx, loadOrder } = await runScriptedCheckout(
      shop,
      declined,
    );
    results.set(checkout.reference, captured);
    expect(requireCheckoutResult(ctx, await retry())).toMatchObject({ paymentStatus: "captured" });
    expect(charged).toEqual([checkout.reference]);
    expect((await loadOrder()).payment.status).toBe("captured");
  });

  it("is not charged again after a full refund, which the provider reports as no payment", async () => {
    const { charged, results, checkout, receiveNotice, retry, ctx, loadOrder } =
      await runScriptedCheckout(shop, declined);
    results.set(checkout.reference, captured);
    await receiveNotice(checkout.reference);
    await refundOrder(ctx, await loadOrder(), wholeRefund);
    results.set(checkout.reference, declined);
    expect(isCompleted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
    expect((await loadOrder()).payment.status).toBe("refunded");
  });

  it("is waited for while it is pending", async () => {
    const { charged, results, checkout, retry, ctx } = await runScriptedCheckout(shop, declined);
    results.set(checkout.reference, waiting);
    expect(requireCheckoutResult(ctx, await retry())).toMatchObject({ nextAction: waiting });
    expect(charged).toHaveLength(1);
  });

  it("is not charged again while the provider does not answer", async () => {
    const { charged, results, checkout, retry } = await runScriptedCheckout(shop, declined);
    results.set(checkout.reference, { type: "no_answer" });
    expect(isCompleted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("makes the order the sale for another checkout, also after a partial refund", async () => {
    const { charged, results, checkout, receiveNotice, retry, ctx, loadOrder } =
      await runScriptedCheckout(shop, declined);
    results.set(checkout.reference, captured);
    await receiveNotice(checkout.reference);
    await refundOrder(ctx, await loadOrder(), { ...wholeRefund, amountMinor: 400 });
    expect((await loadOrder()).payment.status).toBe("partially_refunded");
    expect(await abandonCheckout(ctx, checkout)).toBe("sold");
    expect(isCompleted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
  });
});
