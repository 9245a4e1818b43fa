import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  resultOf,
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
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan } from "./given.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const ratesOf = (rate: string): FxProvider =>
  staticRates({ base: "GHS", rates: { USD: rate } }, () => 0);

const contextWith = (fx: FxProvider) => checkoutContextFor(shop, { over: { fx } });

async function planned(ctx: CheckoutContext): Promise<Checkout> {
  const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
  return givenPlan(ctx, await givenCart(ctx, givenItem(product.id)), { payCurrency: "USD" });
}

it("a plan runs at the rate that it locked, however often and whatever the rate is by then", async () => {
  const checkout = await planned(contextWith(ratesOf("0.08")));
  expect(
    await rowsOf(shop, "select 1 from fx_quotes where business_id = ?", shop.business.id),
  ).toEqual([]);
  const later = contextWith(ratesOf("0.5"));
  const stored: Checkout[] = [checkout];
  const finished = await runCheckout(later, checkout, (next) => stored.push(next));
  for (const step of stored) {
    const again = await runCheckout(later, step, () => {}); // what came after it was never stored
    expect(resultOf(later, again)).toEqual(resultOf(later, finished));
  }
  expect(resultOf(later, finished).fx).toEqual({
    quoteId: checkout.plan.fx?.quote.id,
    rate: "0.08",
    payAmountMinor: 80,
    payCurrency: "USD",
  });
  const { orderId } = checkout.plan;
  expect(
    await rowsOf(
      shop,
      "select rate, converted_minor, used_by_order_id from fx_quotes where business_id = ?",
      shop.business.id,
    ),
  ).toEqual([{ rate: "0.08", converted_minor: 80, used_by_order_id: orderId }]);
  expect(
    await rowsOf(
      shop,
      "select amount_minor, currency, status from sandbox_charges where order_id = ?",
      orderId,
    ),
  ).toEqual([{ amount_minor: 80, currency: "USD", status: "captured" }]);
});

/** Takes no charge until it is told to, and remembers what it was asked for. */
function reluctant() {
  const asked: Pick<ChargeRequest, "amountMinor" | "currency">[] = [];
  const state = { takes: true };
  const provider: PaymentProvider = {
    name: "reluctant",
    takenBy: "provider",
    async charge({ amountMinor, currency }) {
      asked.push({ amountMinor, currency });
      if (!state.takes) return { type: "declined", reason: "Not now." };
      return { type: "captured", amountMinor, currency };
    },
    authorize: async () => ({ type: "no_answer" }),
    verify: async () => ({ type: "unknown" }),
    refund: async () => ({ type: "no_answer" }),
    alert() {},
  };
  return { provider, asked, state };
}

describe("an FX quote that runs out between a checkout's start and its charge", () => {
  const usd = { amountMinor: 80, currency: "USD" };

  async function quotedPlan(): Promise<Readonly<{ quote: FxQuote; checkout: Checkout }>> {
    const ctx = contextWith(ratesOf("0.08"));
    const quote = await createFxQuote(ctx, { from: "GHS", to: "USD", amount: "10" });
    const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
    const cart = await givenCart(ctx, givenItem(product.id));
    const fields = { payCurrency: "USD", fxQuoteId: quote.id };
    return { quote, checkout: await givenPlan(ctx, cart, fields) };
  }

  /** So long after the quote ran out, at another rate. */
  const contextAfter = ({ expiresAt }: FxQuote, ms: number, provider: PaymentProvider) =>
    checkoutContextFor(shop, {
      provider,
      over: { fx: ratesOf("0.5"), now: () => expiresAt + ms },
    });

  const useOf = ({ id }: FxQuote) =>
    rowsOf(shop, "select used_by_order_id from fx_quotes where id = ?", id);

  it("is kept to: it was good when the shopper checked out", async () => {
    const { quote, checkout } = await quotedPlan();
    const { provider, asked } = reluctant();
    const late = contextAfter(quote, 0, provider);
    const finished = await runCheckout(late, checkout, () => {});
    expect(asked).toEqual([usd]);
    expect(resultOf(late, finished)).toMatchObject({
      paymentStatus: "captured",
      fx: { quoteId: quote.id, rate: "0.08", payAmountMinor: 80 },
    });
    expect(await useOf(quote)).toEqual([{ used_by_order_id: checkout.plan.orderId }]);
  });

  it("holds for each further charge of its order, also once it was purged", async () => {
    const { quote, checkout } = await quotedPlan();
    const { provider, asked, state } = reluctant();
    state.takes = false;
    await rowsOf(shop, "delete from fx_quotes where id = ?", quote.id);
    const declined = await runCheckout(contextAfter(quote, day, provider), checkout, () => {});
    state.takes = true;
    const later = contextAfter(quote, day + minute, provider);
    const finished = await runCheckout(later, declined, () => {});
    expect(asked).toEqual([usd, usd]);
    expect(resultOf(later, finished)).toMatchObject({ paymentStatus: "captured" });
    expect(await useOf(quote)).toEqual([{ used_by_order_id: checkout.plan.orderId }]);
  });

  it("is refused to a checkout that begins at its end", async () => {
    const { quote, checkout } = await quotedPlan();
    const late = contextAfter(quote, 0, reluctant().provider);
    const [line] = checkout.plan.lines;
    const cart = await givenCart(late, givenItem(line?.configuration.productId ?? ""));
    await expect(
      givenPlan(late, cart, { payCurrency: "USD", fxQuoteId: quote.id }),
    ).rejects.toMatchObject({ context: { rule: "FX_QUOTE_EXPIRED" } });
  });
});
