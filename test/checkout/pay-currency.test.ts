import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { addItem, emptyCart } from "../../shared/cart/index.ts";
import { productRepo } from "../../shared/catalogue/index.ts";
import {
  type Checkout,
  type CheckoutContext,
  planCheckout,
  resultOf,
  runCheckout,
} from "../../shared/checkout/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { type FxProvider, staticRates } from "../../shared/fx/index.ts";
import { newMeter } from "../../shared/kernel/index.ts";
import { sandboxProvider } from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const ratesOf = (rate: string): FxProvider =>
  staticRates({ base: "GHS", rates: { USD: rate } }, () => 0);

function contextWith(fx: FxProvider): CheckoutContext {
  const ctx = contextFor(shop, {
    type: "session",
    sessionId: "ses_test",
    customerId: null,
    loggedInAt: null,
  });
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const sandbox = sandboxProvider(openDb(d1, newMeter()), { now: ctx.now, pageOf: () => "" });
  return {
    ...ctx,
    fx,
    findProducts: async (ids) => {
      const { products } = await productRepo(ctx).findWithComponents(ids);
      return new Map(products.map((one) => [one.id, one]));
    },
    findDeals: async () => ({ automatic: [], coupon: null }),
    providerFor: () => sandbox,
  };
}

async function planned(ctx: CheckoutContext): Promise<Checkout> {
  const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
  const { cart } = await addItem(ctx, emptyCart("cart_test", 0), {
    configuration: {
      productId: product.id,
      variantId: null,
      addOnOptionIds: [],
      bundleSelections: [],
      compositeSelections: [],
      specialInstructions: null,
      locationId: null,
      billingPlanId: null,
    },
    quantity: 1,
    quoteId: null,
    slot: null,
  });
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
      payCurrency: "USD",
      fxQuoteId: null,
      specialInstructions: null,
      metadata: {},
    },
  });
  if (plan.type !== "planned") throw new Error("nothing was planned");
  return plan.checkout;
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
