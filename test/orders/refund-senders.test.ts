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
import { givenProduct } from "../support/catalogue.ts";
import { givenSale, orderContextFor, type Sold } from "../support/orders.ts";
import { givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop, { defaultPriceMinor: 2_500 });
});

/** A provider whose first answer to a refund comes when the test says so; it keeps what was asked. */
function slowProvider(over: Partial<PaymentProvider> = {}) {
  const asked: string[] = [];
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const { promise: isAsked, resolve: noteAsked } = Promise.withResolvers<void>();
  const ctx: OrderContext = orderContextFor(shop, {
    over: {
      ...over,
      async refund({ refundId }) {
        asked.push(refundId);
        noteAsked();
        if (asked.length === 1) await held;
        return { type: "pending" };
      },
    },
  });
  return { ctx, asked, answer, isAsked };
}

const latest = (ctx: OrderContext, { id }: Sold) => orderRepo(ctx).get(id);
const cancellation = { reason: null, by: "customer", requestKey: "k" } as const;
const wholeRefund = { amountMinor: null, reason: null, restock: false, requestKey: "k" } as const;

describe("a refund that is being sent", () => {
  it("is not sent by a repeat of the cancellation", async () => {
    const sale = await givenSale(shop, product.id);
    const { ctx, asked, answer, isAsked } = slowProvider();
    const first = cancelOrder(ctx, await latest(ctx, sale), cancellation);
    await isAsked;
    const again = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    expect(again).toMatchObject({ isReplay: true, paid: { order: { status: "cancelled" } } });
    answer();
    await first;
    expect(asked).toHaveLength(1);
  });

  it("is not sent by a repeat of the refund", async () => {
    const sale = await givenSale(shop, product.id);
    const { ctx, asked, answer, isAsked } = slowProvider();
    const first = refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    await isAsked;
    const again = await refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    answer();
    expect(again).toEqual(await first);
    expect(asked).toEqual([again.id]);
  });

  it("is not sent by a cancellation that finds nothing more to give back", async () => {
    const sale = await givenSale(shop, product.id);
    const { ctx, asked, answer, isAsked } = slowProvider();
    const first = refundOrder(ctx, await latest(ctx, sale), wholeRefund);
    await isAsked;
    const cancelled = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    expect(cancelled.paid.order.status).toBe("cancelled");
    answer();
    await first;
    expect(asked).toHaveLength(1);
  });

  it("is not sent by a cancellation that the provider told of an open payment too late", async () => {
    const sale = await givenSale(shop, product.id, { how: "2" });
    const captured = { type: "captured", amountMinor: 5_000, currency: "GHS" } as const;
    const inTime = orderContextFor(shop, { over: { verify: async () => captured } });
    const refunds: Promise<unknown>[] = [];
    const { ctx, asked, answer, isAsked } = slowProvider({
      async verify() {
        await verifyPayment(inTime, await latest(inTime, sale));
        const part = { ...wholeRefund, amountMinor: 1_000 };
        refunds.push(refundOrder(ctx, await latest(ctx, sale), part));
        await isAsked;
        return { type: "declined", reason: "Too late." };
      },
    });
    const { paid } = await cancelOrder(ctx, await latest(ctx, sale), cancellation);
    answer();
    await Promise.all(refunds);
    expect(paid.refunds).toMatchObject([{ amountMinor: 1_000 }, { amountMinor: 4_000 }]);
    expect(asked).toEqual(paid.refunds.map(({ id }) => id));
  });
});
