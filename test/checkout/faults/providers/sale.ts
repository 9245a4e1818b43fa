import { expect } from "vitest";
import type { CreatedBusiness } from "../../../../shared/businesses/index.ts";
import {
  type Checkout,
  isCompleted,
  payOrder,
  runCheckout,
} from "../../../../shared/checkout/index.ts";
import { Refusal } from "../../../../shared/kernel/index.ts";
import {
  orderRepo,
  refundOrder,
  settleRefund,
  tryVerifyPayment,
} from "../../../../shared/orders/index.ts";
import { createProduct } from "../../../support/create-product.ts";
import { listOutboxEventTypes } from "../../../support/select-rows.ts";
import { createBusiness } from "../../../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "../../create-checkout.ts";
import type { ProviderCaseInfo } from "./provider-cases.ts";

export const saleMinor = 1_000;
const maxTries = 6;

/** Runs a step until it is not refused as retryable any more. */
export async function retryRefused<T>(step: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Refusal) || error.retryable !== true) throw error;
    }
  }
  return null;
}

/** A planned checkout of one product with a provider, in a shop of its own. */
export async function createProviderSale(info: ProviderCaseInfo) {
  const shop: CreatedBusiness = await createBusiness({ currency: info.currency });
  const stand = info.create();
  const { provider } = stand;
  const ctx = checkoutContextFor(shop, { provider });
  const product = await createProduct(shop, { defaultPriceMinor: saleMinor });
  const cart = await createCart(ctx, newItem(product.id));
  let checkout: Checkout = await createPlannedCheckout(ctx, cart, info.payment);
  const { orderId } = checkout.plan;
  const loadOrder = () => orderRepo(ctx).get(orderId);

  async function receiveWebhook(reference: string): Promise<void> {
    await tryVerifyPayment(ctx, await loadOrder(), { reference });
  }

  return {
    ...stand,
    shop,
    ctx,
    loadOrder,
    receiveWebhook,
    runCheckout: async (): Promise<Checkout> => {
      checkout = await runCheckout(ctx, checkout, (next) => {
        checkout = next;
      });
      return checkout;
    },

    /** Retries the checkout until it is paid or waits for the shopper. */
    async finishCheckout(): Promise<void> {
      for (let tries = 1; tries <= maxTries && !isCompleted(checkout); tries += 1) {
        await this.runCheckout();
      }
      expect(isCompleted(checkout), "the checkout is complete").toBe(true);
    },

    payAgain: async (key: string) => {
      const details = await loadOrder();
      return payOrder(ctx, details, {
        ...info.payment,
        sessionId: details.payment.sessionId,
        returnUrls: { success: null, cancel: null },
        origin: "https://duka.test",
        payCurrency: null,
        fxQuoteId: null,
        metadata: {},
        receivedAt: ctx.now(),
        requestKey: key,
      });
    },

    refund: async (key: string) =>
      refundOrder(ctx, await loadOrder(), {
        ...{ amountMinor: 400, reason: null },
        ...{ restock: false, requestKey: key },
      }),

    /** Sends what is still to be refunded, as the job does. */
    async settleRefunds(): Promise<void> {
      for (const { id, status } of (await loadOrder()).refunds) {
        if (status !== "pending") continue;
        const refund = { refundId: id, onRefusal: "try-again" } as const;
        await settleRefund(ctx, await loadOrder(), refund);
      }
    },

    countEvents: async (type: string) =>
      (await listOutboxEventTypes(shop)).filter((one) => one === type).length,
  };
}

export type ProviderSale = Awaited<ReturnType<typeof createProviderSale>>;

/** Expects that the order is paid once, and that the provider kept the money of one charge. */
export async function expectPaidOnce(sale: ProviderSale): Promise<void> {
  await sale.settleRefunds();
  const { payment, refunds } = await sale.loadOrder();
  expect(payment.status).toBe("captured");
  const captured = sale.captured();
  const kept = captured.filter(({ amount, refunded }) => refunded < amount);
  expect(kept).toEqual([{ reference: payment.reference, amount: saleMinor, refunded: 0 }]);
  // A provider that closes pages has nothing to refund.
  if (sale.provider.voidCharge) expect(captured).toEqual(kept);
  const duplicates = refunds.map(({ reference }) => reference);
  expect(captured.length, "each other charge is refunded").toBe(1 + new Set(duplicates).size);
  expect(await sale.countEvents("payment.completed")).toBe(1);
}
