import { createProductCache, createVersionCache } from "../../shared/catalogue/index.ts";
import type { CheckoutContext } from "../../shared/checkout/index.ts";
import { createOfferCache } from "../../shared/deals/index.ts";
import { createDeliveryCache } from "../../shared/delivery/index.ts";
import { createTaxRateCache, createTaxReader } from "../../shared/tax/index.ts";
import type { RequestContext } from "../http/context.ts";
import { fxProviderFor } from "../runtime/providers/fx-providers.ts";
import { createOrderContextForLocation } from "./order-context.ts";

/**
 * The context in which the business places an order for a customer. Its caches last for the call, so
 * that everything is priced by what the database has now.
 */
export async function createCheckoutContext(
  c: RequestContext,
  locationId: string | null,
): Promise<CheckoutContext> {
  const ctx = await createOrderContextForLocation(c, locationId);
  const versions = createVersionCache();
  const products = createProductCache(versions);
  const offers = createOfferCache(versions);
  return {
    ...ctx,
    digestCallerAddress: async () => null,
    findProducts: (ids, couponCodes = [], prefetches = []) =>
      products.find(ctx, ids, [...offers.prefetch(ctx, couponCodes), ...prefetches]),
    findDeals: (couponCodes) => offers.find(ctx, couponCodes),
    readCatalogue: async (ids, couponCodes, prefetches) => {
      const deals = offers.prefetchCurrent(ctx, couponCodes);
      const read = await products.findCurrent(ctx, ids, [deals, ...prefetches]);
      return { products: read, offer: await deals.load() };
    },
    delivery: createDeliveryCache(versions)(ctx),
    tax: createTaxReader(ctx, createTaxRateCache(versions)),
    fx: fxProviderFor(ctx.business, {
      settings: c.get("settings"),
      background: (work) => c.executionCtx.waitUntil(work),
    }),
  };
}
