import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import type { RequestContext } from "../http/context.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";
import { createContextForLocations, createMerchantContext } from "./context.ts";

/** The context of the merchant's use cases on orders, with the payment providers. */
export const createMerchantOrderContext = (c: RequestContext): OrderContext =>
  withProviders(c, createMerchantContext(c));

/** Like `createMerchantOrderContext`, for requests that may name a location. */
export const createOrderContextForLocation = async (
  c: RequestContext,
  locationId: string | null,
): Promise<OrderContext> =>
  withProviders(c, await createContextForLocations(c, locationId === null ? [] : [locationId]));

function withProviders(
  c: RequestContext,
  ctx: ReturnType<typeof createMerchantContext>,
): OrderContext {
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), ctx.business);
  return {
    ...ctx,
    providers: createProviderLookup(ctx.business, { core: c.env.CORE, shop, settings }),
  };
}
