import type { Business } from "../../shared/businesses/index.ts";
import type { PayOrderContext } from "../../shared/checkout/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import type { Actor } from "../../shared/kernel/index.ts";
import type { OrderContext } from "../../shared/orders/index.ts";
import { createContextFor, type RequestContext, requireKey } from "../http/context.ts";
import { fxProviderFor } from "../runtime/providers/fx-providers.ts";
import { createProviderLookup } from "../runtime/providers/payment-providers.ts";

/** The context of use cases on orders, with the payment providers of the caller's business. */
export const createOrderContext = (c: RequestContext): OrderContext =>
  createOrderContextFor(c, { business: requireKey(c).business, actor: { type: "anonymous" } });

/**
 * Like `createOrderContext`, for requests without an API key, such as the webhooks of providers.
 */
export function createOrderContextFor(
  c: RequestContext,
  { business, actor }: { business: Business; actor: Actor },
): OrderContext {
  const ctx = createContextFor(c, { business, actor });
  const settings = c.get("settings");
  const shop = shopOf(shardsOf(c.env, settings.shopShards), business);
  return {
    ...ctx,
    providers: createProviderLookup(business, { core: c.env.CORE, shop, settings }),
  };
}

/** Adds the provider of exchange rates, for use cases that start a payment. */
export const withFxProvider = (c: RequestContext, ctx: OrderContext): PayOrderContext => ({
  ...ctx,
  fx: fxProviderFor(ctx.business, {
    settings: c.get("settings"),
    background: (work) => c.executionCtx.waitUntil(work),
  }),
});
