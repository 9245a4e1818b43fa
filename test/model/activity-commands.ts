/** Views of products, and the session's activity state. */
import fc from "fast-check";
import { expect } from "vitest";
import { dataOf } from "../support/world.ts";
import { findWrongMessage, intentsOf } from "./activity-model.ts";
import { productIndex } from "./cart-requests.ts";
import { assertRoundTrips } from "./check-response.ts";
import { assertCartUnchanged, possibleShops, type Scene, type Shopper, send } from "./scene.ts";
import { itemAt } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

const views = fc
  .record({ who: shopperIndex, goods: fc.array(productIndex, { minLength: 1, maxLength: 4 }) })
  .map((chosen) =>
    createStep(`look at ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      const seen = chosen.goods.map((good) => itemAt(scene.shop.products, good));
      const answer = await send(shopper, {
        method: "POST",
        path: "/activity/events",
        body: {
          events: seen.map(({ id, categoryId }) => ({
            type: "product_view",
            product_id: id,
            ...(categoryId !== null && { category_id: categoryId }),
          })),
        },
      });
      expect(answer).toMatchObject({ status: 200, body: { data: { processed: seen.length } } });
      const views = seen.map(({ id, categoryId }) => ({
        ...{ productId: id, categoryId },
        at: Date.now(),
      }));
      const { activity } = shopper;
      shopper.activity = { ...activity, views: [...activity.views, ...views] };
      await assertActivity(scene, shopper);
      await assertCartUnchanged(shopper);
    }),
  );

/** A dismissed message does not return in the session. */
const dismissals = fc.record({ who: shopperIndex, message: fc.nat(2) }).map((chosen) =>
  createStep(`dismiss ${JSON.stringify(chosen)}`, async (scene) => {
    const shopper = shopperOf(scene, chosen.who);
    const shown: readonly { code: string }[] = dataOf(
      await shopper.ask("GET", "/activity/state"),
    ).messages;
    const code = shown[chosen.message % Math.max(shown.length, 1)]?.code;
    if (code === undefined) return;
    const request = { method: "POST", path: "/activity/messages/dismiss", body: { code } };
    expect(dataOf(await send(shopper, request))).toMatchObject({ dismissed: code });
    const { activity } = shopper;
    shopper.activity = { ...activity, dismissed: [...activity.dismissed, code] };
    await assertActivity(scene, shopper);
  }),
);

const activityReads = shopperIndex.map((position) =>
  createStep(`what is made of shopper ${position}`, (scene) =>
    assertActivity(scene, shopperOf(scene, position)),
  ),
);

export const activityCommands = fc.oneof(
  { weight: 3, arbitrary: views },
  { weight: 1, arbitrary: dismissals },
  { weight: 2, arbitrary: activityReads },
);

/**
 * Asserts that the activity state fits the cart and the views, and that recommendations are
 * available products outside the cart.
 */
export async function assertActivity(scene: Scene, shopper: Shopper): Promise<void> {
  const state = await shopper.ask("GET", "/activity/state");
  assertRoundTrips(state, { d1: 2 });
  const { intent, messages } = dataOf(state);
  const { activity, cart } = shopper;
  expect(intentsOf(activity, cart, Date.now())).toContain(intent);
  const codes: string[] = messages.map(({ code }: { code: string }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(
    possibleShops(scene).map((shop) => findWrongMessage({ shop, cart, activity }, codes)),
  ).toContain(null);
  await assertRecommendations(scene, shopper);
}

async function assertRecommendations(scene: Scene, shopper: Shopper): Promise<void> {
  const answer = await shopper.ask("GET", "/activity/recommendations?limit=50");
  const { recommendations } = dataOf(answer);
  const ids: string[] = recommendations.map((one: { product: { id: string } }) => one.product.id);
  const inCart = shopper.cart.lines.map(({ configuration }) => configuration.productId);
  expect(ids.filter((id) => inCart.includes(id))).toEqual([]);
  const sold = possibleShops(scene).flatMap(({ products }) =>
    products.flatMap(({ id, isActive }) => (isActive ? [id] : [])),
  );
  expect(ids.filter((id) => !sold.includes(id))).toEqual([]);
}
