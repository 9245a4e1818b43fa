import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import type { RequestContext } from "../http/api-env.ts";
import { providersFor } from "../runtime/payment-providers.ts";
import { merchantContext } from "./context.ts";

/** The context of the merchant's calls on orders and their money. */
export function merchantOrderContext(c: RequestContext): OrderContext {
  const ctx = merchantContext(c);
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), ctx.business);
  return { ...ctx, providerFor: providersFor(ctx.business, shop, settings) };
}
