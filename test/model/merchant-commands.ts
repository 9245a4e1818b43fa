import fc from "fast-check";
import { expect } from "vitest";
import { merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { productIndex } from "./cart-requests.ts";
import { assertCartUnchanged, changeShop, changeStock, type Scene } from "./scene.ts";
import type { Plan, Product } from "./shop-model.ts";
import { advanceClock, catalogueCacheMs, itemAt, levelsOf } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

/** Whether the caches expire after a change; mostly they do. */
export const isCacheExpired = fc.constantFrom(true, true, false);

/** The product of a shopper's line, so that a change matters, or any product. */
export const target = fc.record({ who: shopperIndex, line: fc.nat(3), good: productIndex });

export const price = fc.constantFrom(0n, 1n, 333n, 1_250n, 99_995n);

const prices = fc
  .record({ target, price, isSeen: isCacheExpired })
  .map(({ target, price, isSeen }) =>
    createStep(`the merchant asks ${price} for ${JSON.stringify({ ...target, isSeen })}`, (scene) =>
      changeProduct(scene, target, { price, isSeen }),
    ),
  );

/** A location price of a product or variant; null removes it. */
const localPrices = fc
  .record({
    target,
    variant: fc.constantFrom(null, null, 0),
    price: fc.oneof(price, fc.constant(null)),
    isSeen: isCacheExpired,
  })
  .map(({ target, price, ...chosen }) =>
    createStep(`at Osu ${price} for ${JSON.stringify({ ...target, ...chosen })}`, async (scene) => {
      const { variants, bundle, composite } = productAt(scene, target);
      if (bundle.length > 0 || composite) return; // their price follows from their components
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

/** Changes a plan's price, or archives it. */
const plans = fc
  .record({
    plan: fc.nat(2),
    change: fc.oneof(
      { weight: 2, arbitrary: price.map((price) => ({ price })) },
      { weight: 1, arbitrary: fc.constant({ isArchived: true }) },
    ),
    isSeen: isCacheExpired,
  })
  .map(({ plan, change, isSeen }) => {
    const label = "price" in change ? `costs ${change.price}` : "is archived";
    return createStep(`plan ${plan} ${label} ${isSeen}`, (scene) =>
      changePlan(scene, plan, change, isSeen),
    );
  });

const sales = fc
  .record({ target, isActive: fc.constantFrom(true, false, false), isSeen: isCacheExpired })
  .map(({ target, ...changes }) =>
    createStep(`on sale: ${JSON.stringify({ ...target, ...changes })}`, (scene) =>
      changeProduct(scene, target, changes),
    ),
  );

/** Adjusts stock; reserved stock cannot be removed. */
const stockChanges = fc
  .record({ level: fc.nat(8), delta: fc.constantFrom(-9, -4, -1, 2, 7) })
  .map((chosen) =>
    createStep(`stock ${JSON.stringify(chosen)}`, async (scene) => {
      const activeLevels = levelsOf(scene.shop).filter(({ locationId }) =>
        scene.shop.locations.includes(locationId),
      );
      await adjustStock(scene, itemAt(activeLevels, chosen.level), chosen.delta);
    }),
  );

/** Adjusts a stock level by `delta`. */
export async function adjustStock(
  scene: Scene,
  { item, locationId }: { item: string; locationId: string },
  delta: number,
): Promise<void> {
  const { shop, world } = scene;
  const { onHand, reserved } = shop.stock[item]?.[locationId] ?? { onHand: 0, reserved: 0 };
  const path = `/inventory/${item}/locations/${locationId}`;
  const body = { delta, reason: "counted" };
  advanceClock(100);
  const answer = await merchant(world.business)("POST", `${path}/adjustments`, { body });
  const left = onHand + delta;
  expect(answer.status).toBe(left < reserved ? 422 : 201);
  if (left >= reserved) {
    const levels = { ...shop.stock[item], [locationId]: { onHand: left, reserved } };
    changeStock(scene, { ...shop, stock: { ...shop.stock, [item]: levels } });
  }
  await assertCartsUnchanged(scene, { isSeen: false });
}

const archives = fc
  .record({ location: fc.constantFrom(1, 2, 2), isSeen: isCacheExpired })
  .map(({ location, isSeen }) =>
    createStep(`location ${location} is archived ${isSeen}`, (scene) =>
      archiveLocation(scene, location, isSeen),
    ),
  );

/** Archives a location, with its stock; the default location stays. */
export async function archiveLocation(
  scene: Scene,
  location: number,
  isSeen: boolean,
): Promise<void> {
  const id = scene.world.shop.locations[location] ?? "";
  const { locations } = scene.shop;
  await sendMerchantRequest(scene, { method: "DELETE", path: `/locations/${id}` });
  changeShop(scene, { ...scene.shop, locations: locations.filter((one) => one !== id) });
  await assertCartsUnchanged(scene, { isSeen });
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
  const before = productAt(scene, target);
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
  await sendMerchantRequest(scene, { path: `/products/${product.id}`, body });
  const price = product.composite === null ? product.price : before.price;
  const after = { ...product, price };
  changeShop(scene, {
    ...scene.shop,
    products: products.map((one) => (one === before ? after : one)),
  });
  await assertCartsUnchanged(scene, { isSeen });
}

export type Target = Readonly<{ who: number; line: number; good: number }>;

export function productAt(scene: Scene, { who, line, good }: Target): Product {
  const { products } = scene.shop;
  const inCart = shopperOf(scene, who).cart.lines[line]?.configuration.productId;
  return products.find(({ id }) => id === inCart) ?? itemAt(products, good);
}

async function changePlan(
  scene: Scene,
  position: number,
  changes: Partial<Pick<Plan, "price" | "isArchived">>,
  isSeen: boolean,
): Promise<void> {
  const { products, decimals } = scene.shop;
  const before = itemAt(
    products.flatMap(({ plans }) => plans),
    position,
  );
  if (before.isArchived) return;
  const plan = { ...before, ...changes };
  const path = `/billing-plans/${plan.id}`;
  if (plan.isArchived) await sendMerchantRequest(scene, { method: "DELETE", path });
  else await sendMerchantRequest(scene, { path, body: { price: formatted(plan.price, decimals) } });
  const withPlan = (product: Product): Product =>
    product.plans.includes(before)
      ? { ...product, plans: product.plans.map((one) => (one === before ? plan : one)) }
      : product;
  changeShop(scene, { ...scene.shop, products: products.map(withPlan) });
  await assertCartsUnchanged(scene, { isSeen });
}

export async function sendMerchantRequest(
  { world }: Scene,
  { method = "PATCH", path, body }: Readonly<{ method?: string; path: string; body?: object }>,
): Promise<void> {
  advanceClock(100);
  const answer = await merchant(world.business)(method, path, { ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** Asserts that a merchant's change leaves carts unchanged until they are written. */
export async function assertCartsUnchanged(
  scene: Scene,
  { isSeen }: { isSeen: boolean },
): Promise<void> {
  if (isSeen) advanceClock(catalogueCacheMs + 1_000);
  for (const shopper of scene.shoppers) await assertCartUnchanged(shopper);
}
