/**
 * A merchant changes deals, mostly the one of a shopper's coupon
 * (docs/contract/business.md#deal-calls).
 */
import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { valueText } from "./create-deals.ts";
import { dealOf } from "./discount-model.ts";
import { assertCartsUnchanged, isCacheExpired, sendMerchantRequest } from "./merchant-commands.ts";
import { changeShop, type Scene } from "./scene.ts";
import type { Deal } from "./shop-model.ts";
import { itemAt, type ShopUnderTest } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

type DealChange = Readonly<{
  label: string;
  of: (deal: Deal, world: ShopUnderTest) => Partial<Deal>;
}>;

const changeOf = (label: string, of: DealChange["of"]): DealChange => ({ label, of });

/** A time relative to now; 37 ms keep it apart from other events. */
const timeFromNow = (milliseconds: number): number => Date.now() + milliseconds + 37;

const values = fc
  .constantFrom(1n, 1_250n, 5_000n, 10_000n)
  .map((value) => changeOf(`value ${value}`, () => ({ value })));
const activities = fc
  .boolean()
  .map((isActive) => changeOf(`active ${isActive}`, () => ({ isActive })));
const terms = fc.constantFrom<DealChange>(
  changeOf("ends in 200 s", () => ({ startsAt: null, endsAt: timeFromNow(200_000) })),
  changeOf("begins in 200 s", () => ({ startsAt: timeFromNow(200_000), endsAt: null })),
  changeOf("is over", () => ({ startsAt: null, endsAt: timeFromNow(-5_000) })),
  changeOf("is always", () => ({ startsAt: null, endsAt: null })),
  changeOf("for orders of 12.35", () => ({ minimum: 1_235n })),
  changeOf("for orders of 24.70", () => ({ minimum: 2_470n })),
  changeOf("for any order", () => ({ minimum: 0n })),
  changeOf("at most 3.33", () => ({ maximum: 333n })),
  changeOf("without a maximum", () => ({ maximum: null })),
  changeOf("for two orders", () => ({ limit: 2 })),
  changeOf("for any number of orders", () => ({ limit: null })),
  changeOf("once for each customer", () => ({ limitOfCustomer: 1 })),
  changeOf("for any customer", () => ({ limitOfCustomer: null })),
);
const scopes = fc.constantFrom<DealChange>(
  changeOf("for all of an order", () => ({ appliesTo: { scope: "order", ids: [] } })),
  changeOf("for a product", (_, { shop }) => ({
    appliesTo: { scope: "product", ids: [itemAt(shop.products, 0).id] },
  })),
  changeOf("for two categories", (_, { categories }) => ({
    appliesTo: { scope: "category", ids: categories },
  })),
  changeOf("for a collection", (_, { collections }) => ({
    appliesTo: { scope: "collection", ids: [itemAt(collections, 0).id] },
  })),
  changeOf("for what has a tag", (_, { collections }) => ({
    appliesTo: { scope: "collection", ids: collections.slice(1).map(({ id }) => id) },
  })),
);

const changes = fc
  .record({
    who: shopperIndex,
    deal: fc.nat(21),
    isOfCoupon: fc.constantFrom(true, true, false),
    to: fc.oneof(
      { weight: 3, arbitrary: values },
      { weight: 2, arbitrary: activities },
      { weight: 4, arbitrary: terms },
      { weight: 2, arbitrary: scopes },
    ),
    isSeen: isCacheExpired,
  })
  .map(({ to, ...chosen }) =>
    createStep(`the deal's terms: ${to.label} ${JSON.stringify(chosen)}`, async (scene) => {
      const before = chosenDeal(scene, chosen);
      if (before.isArchived) return;
      const deal = { ...before, ...to.of(before, scene.world) };
      const { applies_to, ...others } = dealBody(deal, scene.shop.decimals);
      const isElsewhere = deal.appliesTo !== before.appliesTo;
      if (isElsewhere && !collectionsExist(scene, deal)) return;
      const body = isElsewhere ? { ...others, applies_to } : others; // the collections it names may be archived
      registerUndo(scene.world, deal.id);
      await sendMerchantRequest(scene, { path: `/deals/${deal.id}`, body });
      replaceDeal(scene, before, deal);
      await assertCartsUnchanged(scene, chosen);
    }),
  );

/** Archives a deal. */
const archivals = fc
  .record({ who: shopperIndex, deal: fc.nat(21), isOfCoupon: fc.boolean(), isSeen: isCacheExpired })
  .map((chosen) =>
    createStep(`a deal is archived ${JSON.stringify(chosen)}`, async (scene) => {
      const deal = chosenDeal(scene, chosen);
      registerUndo(scene.world, deal.id);
      await sendMerchantRequest(scene, { method: "DELETE", path: `/deals/${deal.id}` });
      replaceDeal(scene, deal, { ...deal, isActive: false, isArchived: true });
      await assertCartsUnchanged(scene, chosen);
    }),
  );

export const dealCommands = fc.oneof(
  { weight: 12, arbitrary: changes },
  { weight: 1, arbitrary: archivals },
);

/** The deal of a shopper's coupon, or any deal. */
function chosenDeal(
  scene: Scene,
  chosen: Readonly<{ who: number; deal: number; isOfCoupon: boolean }>,
): Deal {
  const inCart = dealOf(scene.shop, shopperOf(scene, chosen.who).cart.coupon);
  return (chosen.isOfCoupon && inCart) || itemAt(scene.shop.deals, chosen.deal);
}

/** Whether the collections of the deal exist. */
const collectionsExist = ({ collections }: Scene, { appliesTo: { scope, ids } }: Deal): boolean =>
  scope !== "collection" || ids.every((id) => collections.some((one) => one.id === id));

function replaceDeal(scene: Scene, before: Deal, after: Deal): void {
  const { deals } = scene.shop;
  changeShop(scene, { ...scene.shop, deals: deals.map((one) => (one === before ? after : one)) });
}

function dealBody(deal: Deal, decimals: number) {
  const { isActive, minimum, maximum, limit, limitOfCustomer, appliesTo } = deal;
  const time = (instant: number | null) => instant && new Date(instant).toISOString();
  return {
    value: valueText(deal, decimals),
    is_active: isActive,
    min_order_subtotal: minimum === 0n ? null : formatted(minimum, decimals),
    max_discount: maximum && formatted(maximum, decimals),
    applies_to: appliesTo,
    starts_at: time(deal.startsAt),
    ends_at: time(deal.endsAt),
    usage_limit: limit,
    per_customer_limit: limitOfCustomer,
  };
}

/** Restores the deal before the next sequence. */
function registerUndo(world: ShopUnderTest, id: string): void {
  const { business, shop } = world;
  const made = shop.deals.find((deal) => deal.id === id);
  if (!made) return;
  world.undo.set(id, async () => {
    const answer = await merchant(business)("PATCH", `/deals/${id}`, {
      body: dealBody(made, shop.decimals),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });
}
