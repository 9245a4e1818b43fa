import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  cancelOrder,
  type OrderContext,
  orderRepo,
  refundOrder,
  verifyPayment,
} from "../../shared/orders/index.ts";
import type { PaymentProvider } from "../../shared/payments/index.ts";
import { createOrder, createOrderContext, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 2_500 });
});

/** A provider whose first refund call blocks until `release`; it records the refund ids. */
function slowProvider(over: Partial<PaymentProvider> = {}) {
  const refundIds: string[] = [];
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isCalled, resolve: noteCall } = Promise.withResolvers<void>();
  const ctx: OrderContext = createOrderContext(shop, {
    provider: {
      ...over,
      async refund({ refundId }) {
        refundIds.push(refundId);
        noteCall();
        if (refundIds.length === 1) await isReleased;
        return { type: "pending" };
      },
    },
  });
  return { ctx, refundIds, release, isCalled };
}

const latest = (ctx: OrderContext, { id }: PlacedOrder) => orderRepo(ctx).get(id);
const cancellation = { reason: null, initiator: "customer", requestKey: "k" } as const;
const wholeRefund = { amountMinor: null, reason: null, restock: false, requestKey: "k" } as const;

describe("a refund that is being sent", () => {
  it("is not sent again by a repeat of the cancellation", async () => {
    const sale = await createOrder(shop, product.id);
    const { ctx, refundIds, release, isCalled } = slowProvider();
    const first = cancelOrder(ctx, await latest(ctx, sale), cancellation);
    await isCalled;
    const again = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    expect(again).toMatchObject({ isReplay: true, details: { order: { status: "cancelled" } } });
    release();
    await first;
    expect(refundIds).toHaveLength(1);
  });

  it("is not sent again by a repeat of the refund", async () => {
    const sale = await createOrder(shop, product.id);
    const { ctx, refundIds, release, isCalled } = slowProvider();
    const first = refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    await isCalled;
    const again = await refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    release();
    expect(again).toEqual(await first);
    expect(refundIds).toEqual([again.id]);
  });

  it("is not sent again by a cancellation with nothing left to refund", async () => {
    const sale = await createOrder(shop, product.id);
    const { ctx, refundIds, release, isCalled } = slowProvider();
    const first = refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    await isCalled;
    const cancelled = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    expect(cancelled.details.order.status).toBe("cancelled");
    release();
    await first;
    expect(refundIds).toHaveLength(1);
  });

  it("is not sent again by a cancellation that learned of the payment too late", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "2" });
    const captured = { type: "captured", amountMinor: 5_000, currency: "GHS" } as const;
    const inTime = createOrderContext(shop, { provider: { verify: async () => captured } });
    const refunds: Promise<unknown>[] = [];
    const { ctx, refundIds, release, isCalled } = slowProvider({
      async verify() {
        await verifyPayment(inTime, await latest(inTime, sale));
        const part = { ...wholeRefund, amountMinor: 1_000 };
        refunds.push(refundOrder(ctx, await latest(ctx, sale), part));
        await isCalled;
        return { type: "declined", reason: "Too late." };
      },
    });
    const { details } = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    release();
    await Promise.all(refunds);
    expect(details.refunds).toMatchObject([{ amountMinor: 1_000 }, { amountMinor: 4_000 }]);
    expect(refundIds).toEqual(details.refunds.map(({ id }) => id));
  });
});
