import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import type { RequestContext } from "../http/context.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";
import { createMerchantContext } from "./context.ts";

/** The context of the merchant's use cases on orders, with the payment providers. */
export function createMerchantOrderContext(c: RequestContext): OrderContext {
  const ctx = createMerchantContext(c);
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), ctx.business);
  return { ...ctx, providerFor: createProviderLookup(ctx.business, shop, settings) };
}
