import type { Business, Incentive, Intent, ShopContext } from "../businesses/index.ts";
import type { Cart } from "../cart/index.ts";
import { incentiveFor, intentOf } from "./intent.ts";
import { type Message, messagesOf } from "./message.ts";
import type { SessionActivity } from "./session-activity.ts";
import { findViewedProducts } from "./viewed-product-repo.ts";

/** What a session's object tells of its shopper. */
export type Shopper = Readonly<{ activity: SessionActivity; cart: Cart }>;

/** interface.md, GET /activity/state. */
export type ActivityState = Readonly<{
  activity: SessionActivity | null;
  intent: Intent;
  messages: readonly Message[];
  incentive: Incentive | null;
}>;

/** How a shopper's session stands; one round trip where a product was viewed, none otherwise. */
export async function findState(ctx: ShopContext, shopper: Shopper): Promise<ActivityState> {
  const { activity, cart } = shopper;
  const viewedIds = activity.products.map(({ productId }) => productId);
  const products = await findViewedProducts(ctx, viewedIds);
  return {
    activity,
    ...moodOf(ctx.business, shopper, ctx.now()),
    messages: messagesOf(ctx.business, { cart, activity, products }),
  };
}

/** A caller without a session has done nothing yet. */
export const strangersState = ({ settings }: Business): ActivityState => ({
  activity: null,
  intent: "baseline",
  messages: [],
  incentive: incentiveFor(settings, "baseline"),
});

/** A shopper's intent, and what the business offers for it. */
export function moodOf(
  { settings }: Pick<Business, "settings">,
  { activity, cart }: Shopper,
  now: number,
): Readonly<{ intent: Intent; incentive: Incentive | null }> {
  const intent = intentOf(activity.recent, { isCartEmpty: cart.lines.length === 0, now });
  return { intent, incentive: incentiveFor(settings, intent) };
}
