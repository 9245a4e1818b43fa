import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { runCheckout } from "../../shared/checkout/index.ts";
import { createMeter, type Meter } from "../../shared/database/index.ts";
import type { Deal } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { type CrashPoint, neverCrash } from "../support/faults.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
  readsOf,
} from "./create-checkout.ts";

const maxRoundTrips = 3;

let shop: CreatedBusiness;
let product: Product;
let deal: Deal;

/** One unit in stock, and one use of a deal of 50 %. */
beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { defaultPriceMinor: 1_000, inventoryType: "tracked" });
  await setStock(shop, product, 1);
  deal = await createDeal(shop, { value: "50", usageLimit: 1 });
});

/** A call with a cached catalogue that has already made `before` round trips. */
const createCall = (before: number, crashPoint: CrashPoint = neverCrash) => {
  const meter: Meter = { ...createMeter(), d1: before };
  return { meter, ctx: checkoutContextFor(shop, { meter, crashPoint }) };
};

async function createTestCheckout(method: "cash" | "mobile_money") {
  const { ctx } = createCall(0);
  return createPlannedCheckout(ctx, await createCart(ctx, newItem(product.id)), {
    paymentMethod: method,
  });
}

const setUsesLeft = (left: 0 | 1) =>
  selectRows(
    shop,
    "update deals set times_redeemed = ? where id = ? returning id",
    1 - left,
    deal.id,
  );

const setReserved = (pieces: 0 | 1) =>
  selectRows(
    shop,
    "update stock_levels set quantity_reserved = ? where item_id = ? returning item_id",
    pieces,
    product.id,
  );

const listOrderTotals = async () =>
  (
    await selectRows(
      shop,
      "select total_price_minor from orders where business_id = ?",
      shop.business.id,
    )
  ).map(({ total_price_minor }) => total_price_minor);

const listCharges = () =>
  selectRows(
    shop,
    "select status from sandbox_charges where order_id in (select id from orders where business_id = ?)",
    shop.business.id,
  );

const retryableRefusal = { code: "SERVICE_UNAVAILABLE" };

describe("a sale whose deal is used up by somebody else meanwhile", () => {
  it.each([
    { method: "cash" as const, before: 1 },
    { method: "mobile_money" as const, before: 0 },
  ])(
    "continues without the deal when a round trip is left: $method",
    async ({ method, before }) => {
      const checkout = await createTestCheckout(method);
      await setUsesLeft(0);
      const { ctx, meter } = createCall(before);
      await runCheckout(ctx, checkout, () => {}, readsOf(checkout));
      expect(meter.d1).toBe(maxRoundTrips);
      expect(await listOrderTotals()).toEqual([1_000]);
    },
  );

  it("can be retried at the current price when no round trip is left", async () => {
    const checkout = await createTestCheckout("mobile_money");
    await setUsesLeft(0);
    const first = createCall(1);
    const run = runCheckout(first.ctx, checkout, () => {}, readsOf(checkout));
    await expect(run).rejects.toMatchObject(retryableRefusal);
    expect(first.meter.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrderTotals()).toEqual([]);
    const retry = createCall(0);
    await runCheckout(retry.ctx, checkout, () => {});
    expect(retry.meter.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrderTotals()).toEqual([1_000]);
    expect(await listCharges()).toHaveLength(1);
  });
});

describe("a sale whose unit becomes available again meanwhile", () => {
  /** Releases the unit after a batch has failed on it. */
  const releasingStock: CrashPoint = async (effect) => {
    try {
      return await effect();
    } catch (error) {
      await setReserved(0);
      throw error;
    }
  };

  it("takes the unit when a round trip is left", async () => {
    const checkout = await createTestCheckout("cash");
    await setReserved(1);
    const { ctx, meter } = createCall(0, releasingStock);
    await runCheckout(ctx, checkout, () => {}, readsOf(checkout));
    expect(meter.d1).toBe(maxRoundTrips);
    expect(await listOrderTotals()).toEqual([500]);
  });

  it("can be retried when no round trip is left", async () => {
    const checkout = await createTestCheckout("mobile_money");
    await setReserved(1);
    const { ctx, meter } = createCall(0, releasingStock);
    const run = runCheckout(ctx, checkout, () => {}, readsOf(checkout));
    await expect(run).rejects.toMatchObject(retryableRefusal);
    expect(meter.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrderTotals()).toEqual([]);
    const retry = createCall(0);
    await runCheckout(retry.ctx, checkout, () => {});
    expect(retry.meter.d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrderTotals()).toEqual([500]);
  });
});

it("a checkout resumed after a crash makes no more round trips than another", async () => {
  const checkout = await createTestCheckout("mobile_money");
  const { ctx } = createCall(0);
  await runCheckout(ctx, checkout, () => {}, readsOf(checkout));
  const again = createCall(0);
  await runCheckout(again.ctx, checkout, () => {}); // its progress was not stored
  expect(again.meter.d1).toBeLessThanOrEqual(maxRoundTrips);
  expect(await listOrderTotals()).toEqual([500]);
  expect(await listCharges()).toHaveLength(1);
});
