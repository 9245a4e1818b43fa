import type { Context } from "../database/index.ts";
import { type Asker, changeSubscription } from "./change-subscription.ts";
import { resumed } from "./lifecycle.ts";
import type { Subscription } from "./subscription.ts";

/** Lets renewals go on at their times (interface.md, Subscription). @throws Refusal as `changeSubscription`; INVALID_STATE. */
export const resumeSubscription = (ctx: Context, id: string, by: Asker): Promise<Subscription> =>
  changeSubscription(ctx, {
    id,
    by,
    action: "subscription.resumed",
    change: (subscription) => resumed(subscription, ctx.now()),
  });
