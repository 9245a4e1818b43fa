import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type Product, versionMemory } from "../../shared/catalogue/index.ts";
import { runCheckout } from "../../shared/checkout/index.ts";
import { type Deal, offerCache } from "../../shared/deals/index.ts";
import { createMeter, type Meter } from "../../shared/kernel/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { type Dies, never } from "../support/faults.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan, nothingRead } from "./given.ts";

const most = 3; // architecture.md, Speed

let shop: CreatedBusiness;
let product: Product;
let deal: Deal;
let offers: ReturnType<typeof offerCache>;

/** One piece, and one use of a deal of half its price. */
beforeEach(async () => {
  shop = await givenBusiness();
  offers = offerCache(versionMemory());
  product = await givenProduct(shop, { defaultPriceMinor: 1_000, inventoryType: "tracked" });
  await givenStock(shop, product, 1);
  deal = await givenDeal(shop, { value: "50", usageLimit: 1 });
});

/** A call of its own, whose catalogue is remembered; `before` so many round trips that it made. */
const call = (before: number, dies: Dies = never) => {
  const meter: Meter = { ...createMeter(), d1: before };
  const scope = contextFor(shop);
  const over = { findDeals: (code: string | null) => offers.find(scope, code) };
  return { meter, ctx: checkoutContextFor(shop, { meter, dies, over }) };
};

async function planned(method: "cash" | "mobile_money") {
  const { ctx } = call(0);
  return givenPlan(ctx, await givenCart(ctx, givenItem(product.id)), { paymentMethod: method });
}

const usesLeft = (left: 0 | 1) =>
  rowsOf(shop, "update deals set times_redeemed = ? where id = ? returning id", 1 - left, deal.id);

const reserved = (pieces: 0 | 1) =>
  rowsOf(
    shop,
    "update stock_levels set quantity_reserved = ? where item_id = ? returning item_id",
    pieces,
    product.id,
  );

const ordered = async () =>
  (
    await rowsOf(
      shop,
      "select total_price_minor from orders where business_id = ?",
      shop.business.id,
    )
  ).map(({ total_price_minor }) => total_price_minor);

const charges = () =>
  rowsOf(
    shop,
    "select status from sandbox_charges where order_id in (select id from orders where business_id = ?)",
    shop.business.id,
  );

const overtaken = { code: "SERVICE_UNAVAILABLE" };

describe("a sale whose deal goes to somebody else at the last moment", () => {
  it.each([
    { method: "cash" as const, before: 1 },
    { method: "mobile_money" as const, before: 0 },
  ])("goes on without it where a try is left: $method", async ({ method, before }) => {
    const checkout = await planned(method);
    await usesLeft(0);
    const { ctx, meter } = call(before);
    await runCheckout(ctx, checkout, () => {}, nothingRead);
    expect(meter.d1).toBe(most);
    expect(await ordered()).toEqual([1_000]);
  });

  it("is tried again later where none is left, and then costs what it costs by then", async () => {
    const checkout = await planned("mobile_money");
    await usesLeft(0);
    const first = call(1);
    const run = runCheckout(first.ctx, checkout, () => {}, nothingRead);
    await expect(run).rejects.toMatchObject(overtaken);
    expect(first.meter.d1).toBeLessThanOrEqual(most);
    expect(await ordered()).toEqual([]);
    const retry = call(0);
    await runCheckout(retry.ctx, checkout, () => {});
    expect(retry.meter.d1).toBeLessThanOrEqual(most);
    expect(await ordered()).toEqual([1_000]);
    expect(await charges()).toHaveLength(1);
  });
});

describe("a sale whose piece comes back while it is looked for", () => {
  /** Gives it back once a batch has failed on it. */
  const givenBack: Dies = async (effect) => {
    try {
      return await effect();
    } catch (error) {
      await reserved(0);
      throw error;
    }
  };

  it("takes it where a try is left", async () => {
    const checkout = await planned("cash");
    await reserved(1);
    const { ctx, meter } = call(0, givenBack);
    await runCheckout(ctx, checkout, () => {}, nothingRead);
    expect(meter.d1).toBe(most);
    expect(await ordered()).toEqual([500]);
  });

  it("is tried again later where none is left", async () => {
    const checkout = await planned("mobile_money");
    await reserved(1);
    const { ctx, meter } = call(0, givenBack);
    const run = runCheckout(ctx, checkout, () => {}, nothingRead);
    await expect(run).rejects.toMatchObject(overtaken);
    expect(meter.d1).toBeLessThanOrEqual(most);
    expect(await ordered()).toEqual([]);
    const retry = call(0);
    await runCheckout(retry.ctx, checkout, () => {});
    expect(retry.meter.d1).toBeLessThanOrEqual(most);
    expect(await ordered()).toEqual([500]);
  });
});

it("a checkout that goes on behind a crash takes no more round trips than another", async () => {
  const checkout = await planned("mobile_money");
  const { ctx } = call(0);
  await runCheckout(ctx, checkout, () => {}, nothingRead);
  const again = call(0);
  await runCheckout(again.ctx, checkout, () => {}); // what was done was never stored
  expect(again.meter.d1).toBeLessThanOrEqual(most);
  expect(await ordered()).toEqual([500]);
  expect(await charges()).toHaveLength(1);
});
