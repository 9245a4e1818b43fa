import type { Business } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { createContextFor, type RequestContext, requireKey } from "../http/context.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";

/** The context of use cases on orders of the caller's business, with its payment providers. */
export const createOrderContext = (c: RequestContext): OrderContext =>
  createOrderContextFor(c, { business: requireKey(c).business, actor: { type: "anonymous" } });

/** As `createOrderContext`, for requests without a business's key, such as provider webhooks. */
export function createOrderContextFor(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): OrderContext {
  const ctx = createContextFor(c, { business, actor });
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), business);
  return { ...ctx, providerFor: createProviderLookup(business, shop, settings) };
}
