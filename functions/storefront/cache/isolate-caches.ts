import { isLimitedToGroups } from "../../../shared/cart/index.ts";
import { createProductCache, createVersionCache } from "../../../shared/catalogue/index.ts";
import { createCustomerGroupCache } from "../../../shared/customers/index.ts";
import type { Prefetch } from "../../../shared/database/index.ts";
import {
  createGroupDealCache,
  createOfferCache,
  groupsTargetedByDeals,
} from "../../../shared/deals/index.ts";
import { createDeliveryCache } from "../../../shared/delivery/index.ts";
import { createTaxRateCache } from "../../../shared/tax/index.ts";

/**
 * The catalogue versions that this isolate knows. A new version invalidates the isolate's cached
 * responses, products and deals.
 */
export const catalogueVersions = createVersionCache();

export const catalogueProducts = createProductCache(catalogueVersions, groupsTargetedByDeals);

export const catalogueOffers = createOfferCache(catalogueVersions);

export const catalogueTaxRates = createTaxRateCache(catalogueVersions);

/** Which customer groups the logged-in customers are in. */
export const customerGroups = createCustomerGroupCache();

type OfferReader = Parameters<typeof catalogueOffers.peek>[0];

/**
 * Prefetches the customer's groups for a cart write, unless they are cached or no deal needs them.
 */
export function prefetchCustomerGroups(
  reader: OfferReader,
  customerId: string | null,
  couponCodes: readonly string[],
): readonly Prefetch[] {
  const offer = catalogueOffers.peek(reader, couponCodes);
  const isNeeded = offer === undefined || isLimitedToGroups(offer);
  return customerId !== null && isNeeded ? customerGroups.prefetch(reader, customerId) : [];
}

export const catalogueGroupDeals = createGroupDealCache(catalogueVersions);

export const catalogueDelivery = createDeliveryCache(catalogueVersions);
