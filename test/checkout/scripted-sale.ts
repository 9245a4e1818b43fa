import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { runCheckout } from "../../shared/checkout/index.ts";
import { orderRepo, verifiedPayment } from "../../shared/orders/index.ts";
import type {
  ChargeResult,
  MoneyAlert,
  PaymentProvider,
  RefundRequest,
  VerifyResult,
} from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan } from "./given.ts";

export const captured = { type: "captured", amountMinor: 1_000, currency: "GHS" } as const;
export const declined = { type: "declined", reason: "It timed out." } as const;
export const waiting = { type: "await", displayText: "Confirm it." } as const;

/** A provider of which a test says how each charge comes out, and how it stands later. */
function scripted(...outcomes: ChargeResult[]) {
  const charged: string[] = [];
  const stands = new Map<string, VerifyResult>();
  const refunded: RefundRequest[] = [];
  const alerts: MoneyAlert[] = [];
  const provider: PaymentProvider = {
    name: "paystack",
    takenBy: "provider",
    async charge({ reference }) {
      charged.push(reference);
      const outcome = outcomes[charged.length - 1] ?? captured;
      stands.set(reference, outcome);
      return outcome;
    },
    authorize: async () => ({ type: "no_answer" }),
    verify: async (reference) => stands.get(reference) ?? { type: "unknown" },
    async refund(request) {
      refunded.push(request);
      return { type: "refunded" };
    },
    alert: (alert) => void alerts.push(alert),
  };
  return { provider, charged, stands, refunded, alerts };
}

/** A checkout of 10.00 GHS that ran once over a provider of which the test says what it answers. */
export async function ran(shop: CreatedBusiness, ...outcomes: ChargeResult[]) {
  const paystack = scripted(...outcomes);
  const ctx = checkoutContextFor(shop, { provider: paystack.provider });
  const product = await givenProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const plan = await givenPlan(ctx, await givenCart(ctx, givenItem(product.id)));
  const checkout = await runCheckout(ctx, plan, () => {});
  const paid = () => orderRepo(ctx).get(checkout.plan.orderId);
  return {
    ...paystack,
    ctx,
    checkout,
    paid,
    retry: (from = checkout) => runCheckout(ctx, from, () => {}),
    /** As a provider's notice of the reference does. */
    hear: async (reference: string) => verifiedPayment(ctx, await paid(), { reference }),
  };
}

/** The sandbox knows none of these charges: no job is to find what is still to go back. */
export const forgetRefunds = (shop: CreatedBusiness) =>
  rowsOf(shop, "delete from refunds where business_id = ?", shop.business.id);

export const wholeRefund = {
  amountMinor: null,
  reason: null,
  restock: false,
  requestKey: null,
} as const;

/** The events of payments, which the shop was told of. */
export const payments = async (shop: CreatedBusiness) =>
  (await eventsOf(shop)).filter((type) => type.startsWith("payment.")).sort();
