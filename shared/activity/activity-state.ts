import type { Business, Incentive, Intent, ShopContext } from "../businesses/index.ts";
import type { Cart } from "../cart/index.ts";
import { incentiveFor, intentOf } from "./intent.ts";
import { type Message, shopperMessages } from "./messages.ts";
import type { SessionActivity } from "./session-activity.ts";
import { findStockedProducts } from "./viewed-product-repo.ts";

/** The activity and the cart of a session. */
export type Shopper = Readonly<{ activity: SessionActivity; cart: Cart }>;

/** The state of a session. `activity` is null when the caller has no session. */
export type ActivityState = Readonly<{
  activity: SessionActivity | null;
  intent: Intent;
  messages: readonly Message[];
  incentive: Incentive | null;
}>;

/**
 * Reads a shopper's state. Takes one round trip when the shopper viewed products, otherwise none.
 */
export async function findActivityState(
  ctx: ShopContext,
  shopper: Shopper,
): Promise<ActivityState> {
  const { activity, cart } = shopper;
  const viewedIds = activity.products.map(({ productId }) => productId);
  const products = await findStockedProducts(ctx, viewedIds);
  return {
    activity,
    ...intentAndIncentive(ctx.business, shopper, ctx.now()),
    messages: shopperMessages(ctx.business, { cart, activity, products }),
  };
}

/** The state that a caller without a session gets. */
export const anonymousState = ({ settings }: Business): ActivityState => ({
  activity: null,
  intent: "baseline",
  messages: [],
  incentive: incentiveFor(settings, "baseline"),
});

/** A shopper's intent, and the incentive that the business offers for that intent. */
export function intentAndIncentive(
  { settings }: Pick<Business, "settings">,
  { activity, cart }: Shopper,
  now: number,
): Readonly<{ intent: Intent; incentive: Incentive | null }> {
  const intent = intentOf(activity.recent, { isCartEmpty: cart.lines.length === 0, now });
  return { intent, incentive: incentiveFor(settings, intent) };
}
