import type { Context } from "../database/index.ts";
import { type Asker, changeSubscription } from "./change-subscription.ts";
import { paused } from "./lifecycle.ts";
import type { Subscription } from "./subscription.ts";

/** Lets renewals rest (interface.md, Subscription). @throws Refusal as `changeSubscription`; INVALID_STATE. */
export const pauseSubscription = (ctx: Context, id: string, by: Asker): Promise<Subscription> =>
  changeSubscription(ctx, {
    id,
    by,
    action: "subscription.paused",
    change: (subscription) => paused(subscription, ctx.now()),
  });
