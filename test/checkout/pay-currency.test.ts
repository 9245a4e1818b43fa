import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  requireCheckoutResult,
  runCheckout,
} from "../../shared/checkout/index.ts";
import {
  createFxQuote,
  type FxProvider,
  type FxQuote,
  staticRates,
} from "../../shared/fx/index.ts";
import { day, minute } from "../../shared/kernel/index.ts";
import type { ChargeRequest, PaymentProvider } from "../../shared/payments/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "./create-checkout.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const ratesOf = (rate: string): FxProvider =>
  staticRates({ base: "GHS", rates: { USD: rate } }, () => 0);

const contextWith = (fx: FxProvider) => checkoutContextFor(shop, { overrides: { fx } });

async function createUsdCheckout(ctx: CheckoutContext): Promise<Checkout> {
  const product = await createProduct(shop, { defaultPriceMinor: 1_000 });
  return createPlannedCheckout(ctx, await createCart(ctx, newItem(product.id)), {
    payCurrency: "USD",
  });
}

it("a plan keeps its locked rate in every run when the current rate changes", async () => {
  const checkout = await createUsdCheckout(contextWith(ratesOf("0.08")));
  expect(
    await selectRows(shop, "select 1 from fx_quotes where business_id = ?", shop.business.id),
  ).toEqual([]);
  const later = contextWith(ratesOf("0.5"));
  const stored: Checkout[] = [checkout];
  const finished = await runCheckout(later, checkout, (next) => stored.push(next));
  for (const step of stored) {
    const again = await runCheckout(later, step, () => {}); // its later progress was not stored
    expect(requireCheckoutResult(later, again)).toEqual(requireCheckoutResult(later, finished));
  }
  expect(requireCheckoutResult(later, finished).fx).toEqual({
    quoteId: checkout.plan.fx?.quote.id,
    rate: "0.08",
    payAmountMinor: 80,
    payCurrency: "USD",
  });
  const { orderId } = checkout.plan;
  expect(
    await selectRows(
      shop,
      "select rate, converted_minor, used_by_order_id from fx_quotes where business_id = ?",
      shop.business.id,
    ),
  ).toEqual([{ rate: "0.08", converted_minor: 80, used_by_order_id: orderId }]);
  expect(
    await selectRows(
      shop,
      "select amount_minor, currency, status from sandbox_charges where order_id = ?",
      orderId,
    ),
  ).toEqual([{ amount_minor: 80, currency: "USD", status: "captured" }]);
});

/** A provider that declines until a test lets it accept, and records the requested amounts. */
function createDecliningProvider() {
  const requested: Pick<ChargeRequest, "amountMinor" | "currency">[] = [];
  const state = { takes: true };
  const provider: PaymentProvider = {
    name: "sandbox",
    collectedBy: "provider",
    async charge({ amountMinor, currency }) {
      requested.push({ amountMinor, currency });
      if (!state.takes) return { type: "declined", reason: "Not now." };
      return { type: "captured", amountMinor, currency };
    },
    authorize: async () => ({ type: "no_answer" }),
    verify: async () => ({ type: "unknown" }),
    refund: async () => ({ type: "no_answer" }),
    alert() {},
  };
  return { provider, requested, state };
}

describe("an FX quote that expires between a checkout's start and its charge", () => {
  const usd = { amountMinor: 80, currency: "USD" };

  async function createQuotedCheckout(): Promise<Readonly<{ quote: FxQuote; checkout: Checkout }>> {
    const ctx = contextWith(ratesOf("0.08"));
    const quote = await createFxQuote(ctx, { from: "GHS", to: "USD", amount: "10" });
    const product = await createProduct(shop, { defaultPriceMinor: 1_000 });
    const cart = await createCart(ctx, newItem(product.id));
    const fields = { payCurrency: "USD", fxQuoteId: quote.id };
    return { quote, checkout: await createPlannedCheckout(ctx, cart, fields) };
  }

  /** A context some time after the quote expired, at another rate. */
  const contextAfter = ({ expiresAt }: FxQuote, ms: number, provider: PaymentProvider) =>
    checkoutContextFor(shop, {
      provider,
      overrides: { fx: ratesOf("0.5"), now: () => expiresAt + ms },
    });

  const selectQuoteUse = ({ id }: FxQuote) =>
    selectRows(shop, "select used_by_order_id from fx_quotes where id = ?", id);

  it("is used, because it was valid when the shopper checked out", async () => {
    const { quote, checkout } = await createQuotedCheckout();
    const { provider, requested } = createDecliningProvider();
    const late = contextAfter(quote, 0, provider);
    const finished = await runCheckout(late, checkout, () => {});
    expect(requested).toEqual([usd]);
    expect(requireCheckoutResult(late, finished)).toMatchObject({
      paymentStatus: "captured",
      fx: { quoteId: quote.id, rate: "0.08", payAmountMinor: 80 },
    });
    expect(await selectQuoteUse(quote)).toEqual([{ used_by_order_id: checkout.plan.orderId }]);
  });

  it("is used for each further charge of its order, also after it was purged", async () => {
    const { quote, checkout } = await createQuotedCheckout();
    const { provider, requested, state } = createDecliningProvider();
    state.takes = false;
    await selectRows(shop, "delete from fx_quotes where id = ?", quote.id);
    const declined = await runCheckout(contextAfter(quote, day, provider), checkout, () => {});
    state.takes = true;
    const later = contextAfter(quote, day + minute, provider);
    const finished = await runCheckout(later, declined, () => {});
    expect(requested).toEqual([usd, usd]);
    expect(requireCheckoutResult(later, finished)).toMatchObject({ paymentStatus: "captured" });
    expect(await selectQuoteUse(quote)).toEqual([{ used_by_order_id: checkout.plan.orderId }]);
  });

  it("is refused to a checkout that starts when it expires", async () => {
    const { quote, checkout } = await createQuotedCheckout();
    const late = contextAfter(quote, 0, createDecliningProvider().provider);
    const [line] = checkout.plan.lines;
    const cart = await createCart(late, newItem(line?.configuration.productId ?? ""));
    await expect(
      createPlannedCheckout(late, cart, { payCurrency: "USD", fxQuoteId: quote.id }),
    ).rejects.toMatchObject({ context: { rule: "FX_QUOTE_EXPIRED" } });
  });
});
