/** What a shopper looks at, and what the service makes of that and of the cart's writes. */
import fc from "fast-check";
import { expect } from "vitest";
import { intentsOf, misfit } from "./activity.ts";
import { at } from "./cart-world.ts";
import { demandRoundTrips } from "./invariants.ts";
import { good } from "./requests.ts";
import { dataOf, readAsSeen, type Scene, type Shopper, seenShops, send } from "./scene.ts";
import { shopperOf, step, who } from "./step.ts";

const views = fc
  .record({ who, goods: fc.array(good, { minLength: 1, maxLength: 4 }) })
  .map((chosen) =>
    step(`look at ${JSON.stringify(chosen)}`, async (scene) => {
      const shopper = shopperOf(scene, chosen.who);
      const seen = chosen.goods.map((good) => at(scene.shop.products, good));
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
      await demandActivity(scene, shopper);
      await readAsSeen(shopper);
    }),
  );

/** One that is dismissed stays away for the session. */
const dismissals = fc.record({ who, message: fc.nat(2) }).map((chosen) =>
  step(`dismiss ${JSON.stringify(chosen)}`, async (scene) => {
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
    await demandActivity(scene, shopper);
  }),
);

const looks = who.map((position) =>
  step(`what is made of shopper ${position}`, (scene) =>
    demandActivity(scene, shopperOf(scene, position)),
  ),
);

export const activityCommands = fc.oneof(
  { weight: 3, arbitrary: views },
  { weight: 1, arbitrary: dismissals },
  { weight: 2, arbitrary: looks },
);

/** The session's state fits its cart and what it did; nothing is recommended that it has, or cannot have. */
export async function demandActivity(scene: Scene, shopper: Shopper): Promise<void> {
  const state = await shopper.ask("GET", "/activity/state");
  demandRoundTrips(state, { d1: 2 });
  const { intent, messages } = dataOf(state);
  const { activity, cart } = shopper;
  expect(intentsOf(activity, cart, Date.now())).toContain(intent);
  const codes: string[] = messages.map(({ code }: { code: string }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(seenShops(scene).map((shop) => misfit({ shop, cart, activity }, codes))).toContain(null);
  await demandRecommendations(scene, shopper);
}

async function demandRecommendations(scene: Scene, shopper: Shopper): Promise<void> {
  const answer = await shopper.ask("GET", "/activity/recommendations?limit=50");
  const { recommendations } = dataOf(answer);
  const ids: string[] = recommendations.map((one: { product: { id: string } }) => one.product.id);
  const inCart = shopper.cart.lines.map(({ configuration }) => configuration.productId);
  expect(ids.filter((id) => inCart.includes(id))).toEqual([]);
  const sold = seenShops(scene).flatMap(({ products }) =>
    products.flatMap(({ id, isActive }) => (isActive ? [id] : [])),
  );
  expect(ids.filter((id) => !sold.includes(id))).toEqual([]);
}
