/** A merchant changes the terms of deals (completions.md 4, Deal), mostly of the one that a cart bears. */
import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { at, type World } from "./cart-world.ts";
import { valueText } from "./deals.ts";
import { dealOf } from "./discount-model.ts";
import { afterwards, asked, isSeen } from "./merchant-commands.ts";
import { change, type Scene } from "./scene.ts";
import type { Deal } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";

type Change = Readonly<{ told: string; of: (deal: Deal, world: World) => Partial<Deal> }>;

const changeOf = (told: string, of: Change["of"]): Change => ({ told, of });

/** So long from now; never to the millisecond at which something else happens. */
const later = (milliseconds: number): number => Date.now() + milliseconds + 37;

const values = fc
  .constantFrom(1n, 1_250n, 5_000n, 10_000n)
  .map((value) => changeOf(`value ${value}`, () => ({ value })));
const activities = fc
  .boolean()
  .map((isActive) => changeOf(`active ${isActive}`, () => ({ isActive })));
const terms = fc.constantFrom<Change>(
  changeOf("ends in 200 s", () => ({ startsAt: null, endsAt: later(200_000) })),
  changeOf("begins in 200 s", () => ({ startsAt: later(200_000), endsAt: null })),
  changeOf("is over", () => ({ startsAt: null, endsAt: later(-5_000) })),
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
const scopes = fc.constantFrom<Change>(
  changeOf("for all of an order", () => ({ appliesTo: { scope: "order", ids: [] } })),
  changeOf("for a product", (_, { shop }) => ({
    appliesTo: { scope: "product", ids: [at(shop.products, 0).id] },
  })),
  changeOf("for two categories", (_, { categories }) => ({
    appliesTo: { scope: "category", ids: categories },
  })),
  changeOf("for a collection", (_, { collections }) => ({
    appliesTo: { scope: "collection", ids: [at(collections, 0).id] },
  })),
  changeOf("for what has a tag", (_, { collections }) => ({
    appliesTo: { scope: "collection", ids: collections.slice(1).map(({ id }) => id) },
  })),
);

const changes = fc
  .record({
    who,
    deal: fc.nat(21),
    isOfCoupon: fc.constantFrom(true, true, false),
    to: fc.oneof(
      { weight: 3, arbitrary: values },
      { weight: 2, arbitrary: activities },
      { weight: 4, arbitrary: terms },
      { weight: 2, arbitrary: scopes },
    ),
    isSeen,
  })
  .map(({ to, ...chosen }) =>
    step(`the deal's terms: ${to.told} ${JSON.stringify(chosen)}`, async (scene) => {
      const before = chosenDeal(scene, chosen);
      if (before.isArchived) return;
      const deal = { ...before, ...to.of(before, scene.world) };
      const { applies_to, ...others } = termsOf(deal, scene.shop.decimals);
      const isElsewhere = deal.appliesTo !== before.appliesTo;
      if (isElsewhere && !isStanding(scene, deal)) return;
      const body = isElsewhere ? { ...others, applies_to } : others; // what it names may have gone
      undoLater(scene.world, deal.id);
      await asked(scene, { path: `/deals/${deal.id}`, body });
      replaced(scene, before, deal);
      await afterwards(scene, chosen);
    }),
  );

/** There is no such deal any more. */
const ends = fc.record({ who, deal: fc.nat(21), isOfCoupon: fc.boolean(), isSeen }).map((chosen) =>
  step(`a deal is archived ${JSON.stringify(chosen)}`, async (scene) => {
    const deal = chosenDeal(scene, chosen);
    undoLater(scene.world, deal.id);
    await asked(scene, { method: "DELETE", path: `/deals/${deal.id}` });
    replaced(scene, deal, { ...deal, isActive: false, isArchived: true });
    await afterwards(scene, chosen);
  }),
);

export const dealCommands = fc.oneof(
  { weight: 12, arbitrary: changes },
  { weight: 1, arbitrary: ends },
);

/** That of a shopper's coupon, or any. */
function chosenDeal(
  scene: Scene,
  chosen: Readonly<{ who: number; deal: number; isOfCoupon: boolean }>,
): Deal {
  const inCart = dealOf(scene.shop, shopperOf(scene, chosen.who).cart.coupon);
  return (chosen.isOfCoupon && inCart) || at(scene.shop.deals, chosen.deal);
}

/** Whether the collections that it is for, should it be for some, are there. */
const isStanding = ({ collections }: Scene, { appliesTo: { scope, ids } }: Deal): boolean =>
  scope !== "collection" || ids.every((id) => collections.some((one) => one.id === id));

function replaced(scene: Scene, before: Deal, after: Deal): void {
  const { deals } = scene.shop;
  change(scene, { ...scene.shop, deals: deals.map((one) => (one === before ? after : one)) });
}

function termsOf(deal: Deal, decimals: number) {
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

/** The deal, which stands again by then, is as it was made before the next sequence. */
function undoLater(world: World, id: string): void {
  const { business, shop } = world;
  const made = shop.deals.find((deal) => deal.id === id);
  if (!made) return;
  world.undo.set(id, async () => {
    const answer = await merchant(business)("PATCH", `/deals/${id}`, {
      body: termsOf(made, shop.decimals),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  });
}
