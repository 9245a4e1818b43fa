import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { giveUpCheckout, isStarted, resultOf } from "../../shared/checkout/index.ts";
import { refundOrder } from "../../shared/orders/index.ts";
import { givenBusiness } from "../support/world.ts";
import { captured, declined, forgetRefunds, ran, waiting, wholeRefund } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

describe("a declined charge whose money comes after all", () => {
  it("is not charged again when its news came before the retry", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(shop, declined);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    const retried = await retry();
    expect(charged).toEqual([checkout.reference]);
    expect(resultOf(ctx, retried)).toMatchObject({
      paymentStatus: "captured",
      paymentReference: checkout.reference,
    });
    expect((await paid()).payment.status).toBe("captured");
  });

  it("is not charged again when nobody heard of it: the provider is asked first", async () => {
    const { charged, stands, checkout, retry, ctx, paid } = await ran(shop, declined);
    stands.set(checkout.reference, captured);
    expect(resultOf(ctx, await retry())).toMatchObject({ paymentStatus: "captured" });
    expect(charged).toEqual([checkout.reference]);
    expect((await paid()).payment.status).toBe("captured");
  });

  it("is not charged again when all of it went back since, which the provider calls no payment", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(shop, declined);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    await refundOrder(ctx, await paid(), wholeRefund);
    stands.set(checkout.reference, declined);
    expect(isStarted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
    expect((await paid()).payment.status).toBe("refunded");
  });

  it("waits for it while it is under way", async () => {
    const { charged, stands, checkout, retry, ctx } = await ran(shop, declined);
    stands.set(checkout.reference, waiting);
    expect(resultOf(ctx, await retry())).toMatchObject({ nextAction: waiting });
    expect(charged).toHaveLength(1);
  });

  it("is left alone while the provider does not say", async () => {
    const { charged, stands, checkout, retry } = await ran(shop, declined);
    stands.set(checkout.reference, { type: "no_answer" });
    expect(isStarted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("stands when another checkout would take its place, also when a part went back since", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(shop, declined);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    await refundOrder(ctx, await paid(), { ...wholeRefund, amountMinor: 400 });
    expect((await paid()).payment.status).toBe("partially_refunded");
    expect(await giveUpCheckout(ctx, checkout)).toBe("stands");
    expect(isStarted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
  });
});
