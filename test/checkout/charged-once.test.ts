import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { addItem, emptyCart } from "../../shared/cart/index.ts";
import { productRepo } from "../../shared/catalogue/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  giveUpCheckout,
  isStarted,
  planCheckout,
  resultOf,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { staticRates } from "../../shared/fx/index.ts";
import { day } from "../../shared/kernel/index.ts";
import {
  cancelUnpaidOrder,
  claimExpiredOrders,
  orderRepo,
  recordCharge,
  refundOrder,
  salesReport,
  settleRefund,
  verifiedPayment,
} from "../../shared/orders/index.ts";
import type {
  ChargeResult,
  MoneyAlert,
  PaymentProvider,
  RefundRequest,
  VerifyResult,
} from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

// The sandbox knows none of these charges: no job is to find what is still to go back.
afterEach(async () => {
  await rowsOf(shop, "delete from refunds where business_id = ?", shop.business.id);
});

const captured = { type: "captured", amountMinor: 1_000, currency: "GHS" } as const;
const declined = { type: "declined", reason: "It timed out." } as const;
const waiting = { type: "await", displayText: "Confirm it." } as const;

/** A provider of which a test says how each charge comes out, and how it stands later. */
function scripted(...outcomes: ChargeResult[]) {
  const charged: string[] = [];
  const stands = new Map<string, VerifyResult>();
  const refunded: RefundRequest[] = [];
  const alerts: MoneyAlert[] = [];
  const provider: PaymentProvider = {
    name: "paystack",
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

type Scripted = ReturnType<typeof scripted>;

function contextWith({ provider }: Scripted): CheckoutContext {
  const ctx = contextFor(shop, {
    type: "session",
    sessionId: "ses_test",
    customerId: null,
    loggedInAt: null,
  });
  return {
    ...ctx,
    findProducts: async (ids) => {
      const { products } = await productRepo(ctx).findWithComponents(ids);
      return new Map(products.map((one) => [one.id, one]));
    },
    findDeals: async () => ({ automatic: [], coupon: null }),
    providerFor: (method) => (method === "cash" ? null : provider),
    fx: staticRates(null, ctx.now),
  };
}

/** One piece of 10.00 GHS, paid with mobile money. */
async function planned(ctx: CheckoutContext): Promise<Checkout> {
  const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
  const configuration = {
    productId: product.id,
    variantId: null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: null,
    locationId: null,
    billingPlanId: null,
  };
  const item = { configuration, quantity: 1, quoteId: null, slot: null };
  const { cart } = await addItem(ctx, emptyCart("cart_test", 0), item);
  const plan = await planCheckout(ctx, {
    cart,
    sessionId: "ses_test",
    request: {
      cartId: cart.id,
      customer: { name: null, email: null, phone: "+233241234560", notes: null },
      orderType: "delivery",
      addressInfo: null,
      paymentMethod: "mobile_money",
      mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
      returnUrls: { success: null, cancel: null },
      origin: "https://duka.test",
      payCurrency: null,
      fxQuoteId: null,
      specialInstructions: null,
      metadata: {},
    },
  });
  if (plan.type !== "planned") throw new Error("nothing was planned");
  return plan.checkout;
}

/** A checkout that ran once over a provider of which the test says what it answers. */
async function ran(...outcomes: ChargeResult[]) {
  const paystack = scripted(...outcomes);
  const ctx = contextWith(paystack);
  const checkout = await runCheckout(ctx, await planned(ctx), () => {});
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

const payments = async () =>
  (await eventsOf(shop)).filter((type) => type.startsWith("payment.")).sort();

describe("a declined charge whose money comes after all", () => {
  it("is not charged again when its news came before the retry", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(declined);
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
    const { charged, stands, checkout, retry, ctx, paid } = await ran(declined);
    stands.set(checkout.reference, captured);
    expect(resultOf(ctx, await retry())).toMatchObject({ paymentStatus: "captured" });
    expect(charged).toEqual([checkout.reference]);
    expect((await paid()).payment.status).toBe("captured");
  });

  it("is not charged again when all of it went back since, which the provider calls no payment", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(declined);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    const all = { amountMinor: null, reason: null, restock: false, requestKey: null };
    await refundOrder(ctx, await paid(), all);
    stands.set(checkout.reference, declined);
    expect(isStarted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
    expect((await paid()).payment.status).toBe("refunded");
  });

  it("waits for it while it is under way", async () => {
    const { charged, stands, checkout, retry, ctx } = await ran(declined);
    stands.set(checkout.reference, waiting);
    expect(resultOf(ctx, await retry())).toMatchObject({ nextAction: waiting });
    expect(charged).toHaveLength(1);
  });

  it("is left alone while the provider does not say", async () => {
    const { charged, stands, checkout, retry } = await ran(declined);
    stands.set(checkout.reference, { type: "no_answer" });
    expect(isStarted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("stands when another checkout would take its place, also when a part went back since", async () => {
    const { charged, stands, checkout, hear, retry, ctx, paid } = await ran(declined);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    await refundOrder(ctx, await paid(), {
      amountMinor: 400,
      reason: null,
      restock: false,
      requestKey: null,
    });
    expect((await paid()).payment.status).toBe("partially_refunded");
    expect(await giveUpCheckout(ctx, checkout)).toBe("paid");
    expect(isStarted(await retry())).toBe(true);
    expect(charged).toHaveLength(1);
  });
});

describe("a charge that was replaced by another", () => {
  it("is charged anew under another reference once it is declined for good", async () => {
    const { charged, retry, paid } = await ran(declined);
    const retried = await retry();
    expect(charged).toHaveLength(2);
    expect(charged[0]).not.toBe(charged[1]);
    expect((await paid()).payment).toMatchObject({
      status: "captured",
      reference: retried.reference,
    });
  });

  it("goes back whole, once, when its money comes beside that of the other", async () => {
    const sale = await ran(declined);
    const [first = ""] = sale.charged;
    const { reference } = await sale.retry();
    sale.stands.set(first, captured);
    await Promise.all([sale.hear(first), sale.hear(first)]);
    await sale.hear(first);
    const { payment, refunds, order } = await sale.paid();
    expect(payment).toMatchObject({ status: "captured", reference });
    expect(refunds).toMatchObject([{ reference: first, amountMinor: 1_000, status: "pending" }]);
    expect(sale.alerts).toEqual([
      {
        what: "captured a second charge",
        paymentId: payment.id,
        reference: first,
        amountMinor: 1_000,
        currency: "GHS",
        expected: { reference, amountMinor: 1_000, currency: "GHS" },
      },
    ]);
    const [refund] = refunds;
    await settleRefund(sale.ctx, await sale.paid(), {
      refundId: refund?.id ?? "",
      onRefusal: "try-again",
    });
    expect(sale.refunded).toMatchObject([{ reference: first, amountMinor: 1_000 }]);
    expect((await sale.paid()).payment.status).toBe("captured");
    expect((await sale.paid()).order.status).toBe(order.status);
    expect(await payments()).toEqual(["payment.completed", "payment.failed"]);
  });

  it("takes nothing off what can be given back of the payment itself", async () => {
    const sale = await ran(declined);
    const [first = ""] = sale.charged;
    await sale.retry();
    sale.stands.set(first, captured);
    await sale.hear(first);
    const at = sale.ctx.now();
    const report = await salesReport(sale.ctx, { start: at - day, end: at + day }, "day");
    expect(report).toMatchObject({ orders: 1, revenueMinor: 1_000 });
    const all = { amountMinor: null, reason: null, restock: false, requestKey: null };
    expect(await refundOrder(sale.ctx, await sale.paid(), all)).toMatchObject({
      amountMinor: 1_000,
      reference: null,
      status: "refunded",
    });
    expect((await sale.paid()).payment.status).toBe("refunded");
    await expect(
      refundOrder(sale.ctx, await sale.paid(), { ...all, amountMinor: 1 }),
    ).rejects.toMatchObject({ context: { rule: "REFUND_TOO_LARGE" } });
  });

  it("pays the order when its money comes first, and the other's goes back", async () => {
    const sale = await ran(declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    sale.stands.set(first, captured);
    await sale.hear(first);
    expect((await sale.paid()).payment).toMatchObject({ status: "captured", reference: first });
    sale.stands.set(second, captured);
    await sale.hear(second);
    expect((await sale.paid()).refunds).toMatchObject([{ reference: second, amountMinor: 1_000 }]);
  });

  it("tells nothing of the charge that is under way when it comes to nothing", async () => {
    const sale = await ran(declined, waiting);
    const [first = ""] = sale.charged;
    const { reference: second } = await sale.retry();
    await recordCharge(sale.ctx, await sale.paid(), { result: declined, reference: first });
    expect((await sale.paid()).payment).toMatchObject({ status: "processing", reference: second });
  });

  it("goes back with its order when that was cancelled", async () => {
    const sale = await ran(declined, waiting);
    const [first = ""] = sale.charged;
    await sale.retry();
    await cancelUnpaidOrder(sale.ctx, await sale.paid(), "Nobody paid.");
    sale.stands.set(first, captured);
    await sale.hear(first);
    expect(await sale.paid()).toMatchObject({
      order: { status: "cancelled" },
      payment: { status: "captured", reference: first },
      refunds: [{ reference: null, amountMinor: 1_000, status: "pending" }],
    });
  });
});

describe("a capture of another amount than was asked for", () => {
  const less = { ...captured, amountMinor: 999 };

  it("is no success of the checkout, and is not asked for again", async () => {
    const { ctx, checkout, charged, retry } = await ran(less);
    expect(isStarted(checkout)).toBe(false);
    expect(() => resultOf(ctx, checkout)).toThrow(/another amount/);
    const retried = await retry();
    expect(isStarted(retried)).toBe(false);
    expect(charged).toHaveLength(1);
  });

  it("is told of once, and stands on the payment for a human", async () => {
    const { alerts, paid, hear, checkout } = await ran({ ...captured, currency: "NGN" });
    await hear(checkout.reference);
    const { reference } = checkout;
    expect((await paid()).payment).toMatchObject({
      status: "processing",
      mismatch: { reference, amountMinor: 1_000, currency: "NGN" },
    });
    expect(alerts).toMatchObject([
      { what: "captured another amount", reference, amountMinor: 1_000, currency: "NGN" },
    ]);
    expect(await payments()).toEqual([]);
  });

  it("keeps its order from a silent end, whoever would end it", async () => {
    const { ctx, checkout, paid } = await ran(less);
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
    const { alerts, stands, paid, hear, checkout } = await ran(less);
    stands.set(checkout.reference, captured);
    await hear(checkout.reference);
    expect(await paid()).toMatchObject({
      order: { status: "confirmed" },
      payment: { status: "captured", mismatch: { amountMinor: 999 } },
    });
    expect(alerts).toHaveLength(1);
  });

  it("is found out by a retry as well", async () => {
    const { stands, checkout, hear, retry, charged, alerts } = await ran(declined);
    stands.set(checkout.reference, less);
    await hear(checkout.reference);
    expect(isStarted(await retry())).toBe(false);
    expect(charged).toHaveLength(1);
    expect(alerts).toHaveLength(1);
  });
});

describe("an order's references", () => {
  it("are all kept with their payment", async () => {
    const { charged, retry, checkout } = await ran(declined);
    await retry();
    const kept = await rowsOf(
      shop,
      "select reference, business_id from payment_references where payment_id = ?",
      checkout.plan.paymentId,
    );
    expect(kept.map(({ reference }) => reference).sort()).toEqual([...charged].sort());
    for (const row of kept) expect(row.business_id).toBe(shop.business.id);
  });
});

describe("what the shopper is asked for next", () => {
  const asksFor = (authorizationType: "otp" | "pin") =>
    ({ type: "authorization", authorizationType, displayText: "Please." }) as const;

  it("is told by the provider when asked: the next challenge, with its try given back", async () => {
    const { checkout, stands, hear, paid } = await ran(asksFor("otp"));
    stands.set(checkout.reference, asksFor("pin"));
    await rowsOf(
      shop,
      "update payments set failed_attempts = 3 where id = ?",
      checkout.plan.paymentId,
    );
    await hear(checkout.reference);
    expect((await paid()).payment).toMatchObject({
      status: "requires_action",
      nextAction: asksFor("pin"),
      failedAttempts: 2,
    });
    const { version } = (await paid()).payment;
    await hear(checkout.reference);
    expect((await paid()).payment).toMatchObject({ version, failedAttempts: 2 });
  });

  it("is told when it is another page", async () => {
    const page = (path: string) =>
      ({ type: "redirect", authorizationUrl: `https://pay.test/${path}` }) as const;
    const { checkout, stands, hear, paid } = await ran(page("a"));
    stands.set(checkout.reference, page("b"));
    await hear(checkout.reference);
    expect((await paid()).payment.nextAction).toEqual(page("b"));
  });
});
