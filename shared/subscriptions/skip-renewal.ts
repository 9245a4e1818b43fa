import type { Context } from "../database/index.ts";
import { type Asker, changeSubscription } from "./change-subscription.ts";
import { skipped } from "./lifecycle.ts";
import type { Subscription } from "./subscription.ts";

/**
 * Leaves out the next renewal (interface.md, Subscription).
 *
 * @param skipKey a digest of the request, by which its repeat is known also after a crash: it skips
 * once; null without an Idempotency-Key.
 * @throws Refusal as `changeSubscription`; INVALID_STATE.
 */
export const skipRenewal = (
  ctx: Context,
  id: string,
  { by, skipKey }: Readonly<{ by: Asker; skipKey: string | null }>,
): Promise<Subscription> =>
  changeSubscription(ctx, {
    id,
    by,
    action: "subscription.skipped",
    change: (subscription) =>
      skipKey !== null && subscription.skipKey === skipKey
        ? subscription
        : skipped(subscription, { skipKey, now: ctx.now() }),
  });
