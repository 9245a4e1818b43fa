import type { Business } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { contextIn, keyed } from "../http/context.ts";
import { providersFor } from "../runtime/payment-providers.ts";

/** The context of calls on orders: the caller's business, and its payment providers. */
export const orderContext = (c: RequestContext): OrderContext =>
  orderContextIn(c, { business: keyed(c).business, actor: { type: "anonymous" } });

/** As `orderContext`, for a call that bears no key of a business. */
export function orderContextIn(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): OrderContext {
  const ctx = contextIn(c, { business, actor });
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), business);
  return { ...ctx, providerFor: providersFor(business, shop, settings) };
}
