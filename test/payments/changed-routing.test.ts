import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { payOrder, runCheckout } from "../../shared/checkout/index.ts";
import { orderRepo, refundOrder, tryVerifyPayment } from "../../shared/orders/index.ts";
import {
  type ChargeState,
  cashProvider,
  type PaymentProvider,
  type ProviderLookup,
} from "../../shared/payments/index.ts";
import { processDueSubscription } from "../../shared/renewals/index.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "../checkout/create-checkout.ts";
import { captured, declined, deleteRefunds, wholeRefund } from "../checkout/scripted-provider.ts";
import { firstRenewalTime, startTime } from "../renewals/renewal-state.ts";
import { createSubscription } from "../subscriptions/create-subscription.ts";
import { createOrderContext } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

afterEach(() => deleteRefunds(shop));

const noAnswer = { type: "no_answer" } as const;

/** A provider that writes its calls to a log. `outcome` is what became of its charges. */
function createLoggedProvider(name: string, log: string[], outcome: () => ChargeState) {
  const logged = <T>(call: string, result: T): T => {
    log.push(`${call} at ${name}`);
    return result;
  };
  return {
    name,
    collectedBy: "provider",
    charge: async () => logged("charge", outcome()),
    chargeAgain: async () => logged("charge again", outcome()),
    authorize: async () => logged("authorize", outcome()),
    verify: async () => logged("verify", outcome()),
    refund: async () => logged("refund", { type: "refunded" }),
    alert: () => logged("alert", undefined),
  } satisfies PaymentProvider;
}

/** Two providers: new payments go to the first one until `reroute` sends them to the second. */
function createRouting(firstOutcome: ChargeState) {
  const log: string[] = [];
  let outcome = firstOutcome;
  const first = createLoggedProvider("first", log, () => outcome);
  const second = createLoggedProvider("second", log, () => captured);
  let routed: PaymentProvider = first;
  const providers: ProviderLookup = {
    forMethod: (method) => (method === "cash" ? cashProvider : routed),
    byName: (name) => [cashProvider, first, second].find((one) => one.name === name) ?? null,
  };
  return {
    providers,
    /** Changes the routing, and what the first provider says from now on. */
    reroute(next: ChargeState) {
      routed = second;
      outcome = next;
      log.length = 0;
    },
    log,
  };
}

async function checkOut(routing: ReturnType<typeof createRouting>) {
  const ctx = checkoutContextFor(shop, { overrides: { providers: routing.providers } });
  const product = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const plan = await createPlannedCheckout(ctx, await createCart(ctx, newItem(product.id)));
  const checkout = await runCheckout(ctx, plan, () => {});
  const loadOrder = () => orderRepo(ctx).get(checkout.plan.orderId);
  return { ctx, checkout, loadOrder };
}

const payRequest = {
  sessionId: "ses_test",
  paymentMethod: "mobile_money",
  mobileMoney: { phoneNumber: "+233241234560", provider: "mtn" },
  returnUrls: { success: null, cancel: null },
  origin: "https://duka.test",
  payCurrency: null,
  fxQuoteId: null,
  metadata: {},
  requestKey: null,
} as const;

describe("after the routing of new payments changed", () => {
  it.each([
    { was: noAnswer, is: captured, log: ["verify at first"], provider: "first" },
    { was: noAnswer, is: noAnswer, log: ["verify at first"], provider: "first" },
    { was: declined, is: captured, log: ["verify at first"], provider: "first" },
    {
      was: declined,
      is: declined,
      log: ["verify at first", "charge at second"],
      provider: "second",
    },
  ])(
    "a retried checkout asks the provider of its charge, which said $was.type and then $is.type",
    async ({ was, is, log, provider }) => {
      const routing = createRouting(was);
      const { ctx, checkout, loadOrder } = await checkOut(routing);
      routing.reroute(is);
      await runCheckout(ctx, checkout, () => {});
      expect([...new Set(routing.log)]).toEqual(log);
      expect((await loadOrder()).payment.provider).toBe(provider);
    },
  );

  it("an interrupted checkout whose account was purged since is unavailable, with its order", async () => {
    const log: string[] = [];
    const own = createLoggedProvider("own_paystack", log, () => captured);
    const providers: ProviderLookup = { forMethod: () => own, byName: () => own };
    const ctx = checkoutContextFor(shop, { overrides: { providers } });
    const product = await createProduct(shop, { defaultPriceMinor: captured.amountMinor });
    const planned = await createPlannedCheckout(ctx, await createCart(ctx, newItem(product.id)));
    const purged: ProviderLookup = { forMethod: () => null, byName: () => null };
    const checkout = await runCheckout({ ...ctx, providers: purged }, planned, () => {});
    expect(checkout).toMatchObject({
      state: "payment_failed",
      failure: "unavailable",
      reason: "account",
    });
    const { order, payment } = await orderRepo(ctx).get(planned.plan.orderId);
    expect([order.status, payment.status, log]).toEqual(["pending", "failed", []]);
  });

  it("a payment is verified and refunded at the provider that it names", async () => {
    const routing = createRouting(noAnswer);
    const { ctx, loadOrder } = await checkOut(routing);
    routing.reroute(captured);
    const verified = await tryVerifyPayment(ctx, await loadOrder());
    expect(verified).toMatchObject({ payment: { status: "captured", provider: "first" } });
    await refundOrder(ctx, await loadOrder(), wholeRefund);
    expect(routing.log).toEqual(["verify at first", "refund at first"]);
  });

  it("an order that is paid again verifies the earlier charge at its provider", async () => {
    const routing = createRouting(declined);
    const { ctx, loadOrder } = await checkOut(routing);
    routing.reroute(declined);
    const receivedAt = ctx.now();
    const paid = await payOrder(ctx, await loadOrder(), { ...payRequest, receivedAt });
    expect(paid.payment).toMatchObject({ status: "captured", provider: "second" });
    expect(paid.attempts.map(({ provider }) => provider)).toEqual(["first", "second"]);
    expect(routing.log).toEqual(["verify at first", "charge at second"]);
  });

  it("a subscription renews at the provider of its last charge", async () => {
    vi.setSystemTime(startTime);
    const { id } = await createSubscription(shop);
    vi.setSystemTime(firstRenewalTime);
    const ctx = createOrderContext(shop);
    const log: string[] = [];
    const charged = { ...captured, amountMinor: 1_400 };
    const sandbox = createLoggedProvider("sandbox", log, () => charged);
    const other = createLoggedProvider("other", log, () => charged);
    const providers: ProviderLookup = {
      forMethod: () => other,
      byName: (name) => (name === "sandbox" ? sandbox : null),
    };
    await processDueSubscription({ ...ctx, providers }, id);
    expect(log).toEqual(["charge again at sandbox"]);
  });
});
