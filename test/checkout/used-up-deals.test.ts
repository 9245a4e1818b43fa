import { expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { versionMemory } from "../../shared/catalogue/index.ts";
import { type Checkout, type CheckoutContext, runCheckout } from "../../shared/checkout/index.ts";
import { offerCache, offerRepo } from "../../shared/deals/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan } from "./given.ts";

it("goes on after a crash at the price that the order has, not at the planned one", async () => {
  const shop = await givenBusiness();
  const product = await givenProduct(shop, { defaultPriceMinor: 1_000 });
  const deal = await givenDeal(shop, { value: "50", usageLimit: 1 });
  const redeemed = (times: number) =>
    rowsOf(shop, "update deals set times_redeemed = ? where id = ? returning id", times, deal.id);
  const ctx = contextOf(shop);
  const planned = await plannedSale(ctx, product.id);
  expect(planned.plan.totals.totalPriceMinor).toBe(500);

  await redeemed(1);
  const placed = await runCheckout(ctx, planned, () => {});
  expect(placed.plan.totals).toMatchObject({ discountTotalMinor: 0, totalPriceMinor: 1_000 });
  await redeemed(0);
  const again = await runCheckout(ctx, planned, () => {}); // what was done was never stored
  expect(again.plan.totals).toEqual(placed.plan.totals);
  expect(
    await rowsOf(
      shop,
      "select total_price_minor from orders where business_id = ?",
      shop.business.id,
    ),
  ).toEqual([{ total_price_minor: 1_000 }]);
});

it("reads a collection's deals, and knows that an unknown one is none", async () => {
  const shop = await givenBusiness();
  const offers = offerRepo(contextFor(shop));
  expect(await offers.ofCollection("col_unknown", Date.now())).toBeNull();
});

function contextOf(shop: CreatedBusiness): CheckoutContext {
  const ctx = contextFor(shop);
  const offers = offerCache(versionMemory());
  return checkoutContextFor(shop, { over: { findDeals: (code) => offers.find(ctx, code) } });
}

const plannedSale = async (ctx: CheckoutContext, productId: string): Promise<Checkout> =>
  givenPlan(ctx, await givenCart(ctx, givenItem(productId)), {
    customer: { name: null, email: "ama@example.com", phone: null, notes: null },
    paymentMethod: "cash",
    mobileMoney: null,
  });
