import { expect, it } from "vitest";
import { type Checkout, type CheckoutContext, runCheckout } from "../../shared/checkout/index.ts";
import { offerRepo } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness } from "../support/world.ts";
import {
  checkoutContextFor,
  createCart,
  createPlannedCheckout,
  newItem,
} from "./create-checkout.ts";

it("resumes after a crash at the order's price and not at the planned one", async () => {
  const shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 1_000 });
  const deal = await createDeal(shop, { value: "50", usageLimit: 1 });
  const redeemed = (times: number) =>
    selectRows(
      shop,
      "update deals set times_redeemed = ? where id = ? returning id",
      times,
      deal.id,
    );
  const ctx = checkoutContextFor(shop);
  const planned = await createGuestCheckout(ctx, product.id);
  expect(planned.plan.totals.totalPriceMinor).toBe(500);

  await redeemed(1);
  const placed = await runCheckout(ctx, planned, () => {});
  expect(placed.plan.totals).toMatchObject({ discountTotalMinor: 0, totalPriceMinor: 1_000 });
  await redeemed(0);
  const again = await runCheckout(ctx, planned, () => {}); // its progress was not stored
  expect(again.plan.totals).toEqual(placed.plan.totals);
  expect(
    await selectRows(
      shop,
      "select total_price_minor from orders where business_id = ?",
      shop.business.id,
    ),
  ).toEqual([{ total_price_minor: 1_000 }]);
});

it("finds no deals for an unknown collection", async () => {
  const shop = await createBusiness();
  const offers = offerRepo(contextFor(shop));
  const group = { scope: "collection", id: "col_unknown" } as const;
  expect((await offers.listForGroup(group, Date.now())).deals).toBeNull();
});

const createGuestCheckout = async (ctx: CheckoutContext, productId: string): Promise<Checkout> =>
  createPlannedCheckout(ctx, await createCart(ctx, newItem(productId)), {
    customer: {
      name: null,
      email: "ama@example.com",
      phone: null,
      notes: null,
      savesDetails: false,
    },
    paymentMethod: "cash",
    mobileMoney: null,
  });
