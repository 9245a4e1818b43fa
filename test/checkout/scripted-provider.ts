import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { runCheckout } from "../../shared/checkout/index.ts";
import { orderRepo, tryVerifyPayment } from "../../shared/orders/index.ts";
import type {
  ChargeResult,
  MoneyAlert,
  PaymentProvider,
  RefundRequest,
  VerifyResult,
} from "../../shared/payments/index.ts";
import { createProduct } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "./create-checkout.ts";

export const captured = { type: "captured", amountMinor: 1_000, currency: "GHS" } as const;
export const declined = { type: "declined", reason: "It timed out." } as const;
export const waiting = { type: "await", displayText: "Confirm it." } as const;

/** A provider whose charge and verification results a test sets. */
function createScriptedProvider(...outcomes: ChargeResult[]) {
  const charged: string[] = [];
  const results = new Map<string, VerifyResult>();
  const refunded: RefundRequest[] = [];
  const alerts: MoneyAlert[] = [];
  const provider: PaymentProvider = {
    name: "paystack",
    collectedBy: "provider",
    async charge({ reference }) {
      charged.push(reference);
      const outcome = outcomes[charged.length - 1] ?? captured;
      if (outcome.type !== "unavailable") results.set(reference, outcome);
      return outcome;
    },
    authorize: async () => ({ type: "no_answer" }),
    verify: async (reference) => results.get(reference) ?? { type: "unknown" },
    async refund(request) {
      refunded.push(request);
      return { type: "refunded" };
    },
    alert: (alert) => void alerts.push(alert),
  };
  return { provider, charged, results, refunded, alerts };
}

/** Runs a checkout of 10.00 GHS once with a scripted provider. */
export async function runScriptedCheckout(shop: CreatedBusiness, ...outcomes: ChargeResult[]) {
  const paystack = createScriptedProvider(...outcomes);
  const ctx = checkoutContextFor(shop, { provider: paystack.provider });
  const product = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const plan = await createPlannedCheckout(ctx, await createCart(ctx, newItem(product.id)));
  const checkout = await runCheckout(ctx, plan, () => {});
  const loadOrder = () => orderRepo(ctx).get(checkout.plan.orderId);
  return {
    ...paystack,
    ctx,
    checkout,
    loadOrder,
    retry: (from = checkout) => runCheckout(ctx, from, () => {}),
    /** Verifies the payment as a provider's notice does. */
    receiveNotice: async (reference: string) =>
      tryVerifyPayment(ctx, await loadOrder(), { reference }),
  };
}

/** Deletes pending refunds: the sandbox does not know these charges, so no job may send them. */
export const deleteRefunds = (shop: CreatedBusiness) =>
  selectRows(shop, "delete from refunds where business_id = ?", shop.business.id);

export const wholeRefund = {
  amountMinor: null,
  reason: null,
  restock: false,
  requestKey: null,
} as const;

/** The shop's payment events. */
export const listPaymentEvents = async (shop: CreatedBusiness) =>
  (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("payment.")).sort();

export type ScriptedSale = Awaited<ReturnType<typeof runScriptedCheckout>>;
