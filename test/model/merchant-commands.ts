import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { at, levelsOf, passes, stalenessMs } from "./cart-world.ts";
import { good } from "./requests.ts";
import { change, readAsSeen, restocked, type Scene } from "./scene.ts";
import type { Plan, Product } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";

/** Mostly the change has come through before anything else happens. */
export const isSeen = fc.constantFrom(true, true, false);

/** The product of one of a shopper's lines, so that a change matters, or any. */
export const target = fc.record({ who, line: fc.nat(3), good });

export const price = fc.constantFrom(0n, 1n, 333n, 1_250n, 99_995n);

const prices = fc
  .record({ target, price, isSeen })
  .map(({ target, price, isSeen }) =>
    step(`the merchant asks ${price} for ${JSON.stringify({ ...target, isSeen })}`, (scene) =>
      changeProduct(scene, target, { price, isSeen }),
    ),
  );

/** What the product, or one of its variants, costs at the second location; null, as much as elsewhere. */
const localPrices = fc
  .record({
    target,
    variant: fc.constantFrom(null, null, 0),
    price: fc.oneof(price, fc.constant(null)),
    isSeen,
  })
  .map(({ target, price, ...chosen }) =>
    step(`at Osu ${price} for ${JSON.stringify({ ...target, ...chosen })}`, async (scene) => {
      const { variants, bundle, composite } = targeted(scene, target);
      if (bundle.length > 0 || composite) return; // what they cost follows from what they are made of
      const osu = scene.world.shop.locations[1] ?? "";
      if (!scene.shop.locations.includes(osu)) return;
      const where = {
        locationId: osu,
        variantId: variants[chosen.variant ?? variants.length]?.id ?? null,
      };
      const localPrices = price === null ? [] : [{ ...where, price }];
      await changeProduct(scene, target, { localPrices, isSeen: chosen.isSeen });
    }),
  );

/** A plan costs something else, or has gone. */
const plans = fc
  .record({
    plan: fc.nat(2),
    change: fc.oneof(
      { weight: 2, arbitrary: price.map((price) => ({ price })) },
      { weight: 1, arbitrary: fc.constant({ isArchived: true }) },
    ),
    isSeen,
  })
  .map(({ plan, change, isSeen }) => {
    const told = "price" in change ? `costs ${change.price}` : "is archived";
    return step(`plan ${plan} ${told} ${isSeen}`, (scene) =>
      changePlan(scene, plan, change, isSeen),
    );
  });

const sales = fc
  .record({ target, isActive: fc.constantFrom(true, false, false), isSeen })
  .map(({ target, ...changes }) =>
    step(`on sale: ${JSON.stringify({ ...target, ...changes })}`, (scene) =>
      changeProduct(scene, target, changes),
    ),
  );

/** Pieces come and go; what is reserved cannot be taken away. */
const stockChanges = fc
  .record({ level: fc.nat(8), delta: fc.constantFrom(-9, -4, -1, 2, 7) })
  .map((chosen) =>
    step(`stock ${JSON.stringify(chosen)}`, async (scene) => {
      const standing = levelsOf(scene.shop).filter(({ locationId }) =>
        scene.shop.locations.includes(locationId),
      );
      await adjustStock(scene, at(standing, chosen.level), chosen.delta);
    }),
  );

/** Adds so many pieces to a level, or takes them away. */
export async function adjustStock(
  scene: Scene,
  { item, locationId }: { item: string; locationId: string },
  delta: number,
): Promise<void> {
  const { shop, world } = scene;
  const { onHand, reserved } = shop.stock[item]?.[locationId] ?? { onHand: 0, reserved: 0 };
  const place = `/inventory/${item}/locations/${locationId}`;
  const body = { delta, reason: "counted" };
  passes(100);
  const answer = await merchant(world.business)("POST", `${place}/adjustments`, { body });
  const left = onHand + delta;
  expect(answer.status).toBe(left < reserved ? 422 : 201);
  if (left >= reserved) {
    const levels = { ...shop.stock[item], [locationId]: { onHand: left, reserved } };
    restocked(scene, { ...shop, stock: { ...shop.stock, [item]: levels } });
  }
  await afterwards(scene, { isSeen: false });
}

const archives = fc
  .record({ place: fc.constantFrom(1, 2, 2), isSeen })
  .map(({ place, isSeen }) =>
    step(`location ${place} is archived ${isSeen}`, (scene) =>
      archiveLocation(scene, place, isSeen),
    ),
  );

/** Nothing is sold there any more, nor what is there; the default stands. */
export async function archiveLocation(scene: Scene, place: number, isSeen: boolean): Promise<void> {
  const id = scene.world.shop.locations[place] ?? "";
  const { locations } = scene.shop;
  await asked(scene, { method: "DELETE", path: `/locations/${id}` });
  change(scene, { ...scene.shop, locations: locations.filter((one) => one !== id) });
  await afterwards(scene, { isSeen });
}

export const merchantCommands = fc.oneof(
  { weight: 4, arbitrary: prices },
  { weight: 2, arbitrary: localPrices },
  { weight: 2, arbitrary: plans },
  { weight: 3, arbitrary: sales },
  { weight: 3, arbitrary: stockChanges },
  { weight: 1, arbitrary: archives },
);

export async function changeProduct(
  scene: Scene,
  target: Target,
  {
    isSeen,
    ...changes
  }: Partial<Pick<Product, "price" | "isActive" | "localPrices">> & {
    isSeen: boolean;
  },
): Promise<void> {
  const { products, decimals } = scene.shop;
  const before = targeted(scene, target);
  const product = { ...before, ...changes };
  const body = {
    is_active: product.isActive,
    ...(changes.localPrices && {
      price_overrides: product.localPrices.map(({ locationId, variantId, price }) => ({
        location_id: locationId,
        variant_id: variantId,
        price: formatted(price, decimals),
      })),
    }),
    ...(product.composite === null && { default_price: formatted(product.price, decimals) }),
  };
  await asked(scene, { path: `/products/${product.id}`, body });
  const price = product.composite === null ? product.price : before.price;
  const after = { ...product, price };
  change(scene, { ...scene.shop, products: products.map((one) => (one === before ? after : one)) });
  await afterwards(scene, { isSeen });
}

export type Target = Readonly<{ who: number; line: number; good: number }>;

export function targeted(scene: Scene, { who, line, good }: Target): Product {
  const { products } = scene.shop;
  const inCart = shopperOf(scene, who).cart.lines[line]?.configuration.productId;
  return products.find(({ id }) => id === inCart) ?? at(products, good);
}

async function changePlan(
  scene: Scene,
  position: number,
  changes: Partial<Pick<Plan, "price" | "isArchived">>,
  isSeen: boolean,
): Promise<void> {
  const { products, decimals } = scene.shop;
  const before = at(
    products.flatMap(({ plans }) => plans),
    position,
  );
  if (before.isArchived) return;
  const plan = { ...before, ...changes };
  const path = `/billing-plans/${plan.id}`;
  if (plan.isArchived) await asked(scene, { method: "DELETE", path });
  else await asked(scene, { path, body: { price: formatted(plan.price, decimals) } });
  const withPlan = (product: Product): Product =>
    product.plans.includes(before)
      ? { ...product, plans: product.plans.map((one) => (one === before ? plan : one)) }
      : product;
  change(scene, { ...scene.shop, products: products.map(withPlan) });
  await afterwards(scene, { isSeen });
}

export async function asked(
  { world }: Scene,
  { method = "PATCH", path, body }: Readonly<{ method?: string; path: string; body?: object }>,
): Promise<void> {
  passes(100);
  const answer = await merchant(world.business)(method, path, { ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** No cart changes by what a merchant does, until it is written. */
export async function afterwards(scene: Scene, { isSeen }: { isSeen: boolean }): Promise<void> {
  if (isSeen) passes(stalenessMs + 1_000);
  for (const shopper of scene.shoppers) await readAsSeen(shopper);
}
