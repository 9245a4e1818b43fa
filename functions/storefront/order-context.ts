import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { chance } from "../http/chance.ts";
import { contextOf } from "../http/context.ts";
import { providersFor } from "../http/payment-providers.ts";
import type { RequestContext } from "../http/surface-env.ts";

/** The context of calls on orders: the caller's business, and its payment providers. */
export function orderContext(c: RequestContext): OrderContext {
  const ctx = contextOf(c, { type: "anonymous" });
  const shop = shopOf(shardsOf(c.env, c.get("settings").shopShards), ctx.business);
  return { ...ctx, providerFor: providersFor(ctx.business, shop, chance.now) };
}
