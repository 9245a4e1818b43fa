import { createProductCache, createVersionCache } from "../../../shared/catalogue/index.ts";
import {
  createGroupDealCache,
  createOfferCache,
  groupsTargetedByDeals,
} from "../../../shared/deals/index.ts";
import { createDeliveryCache } from "../../../shared/delivery/index.ts";

/**
 * The catalogue versions that this isolate knows. A new version invalidates the isolate's cached
 * responses, products and deals.
 */
export const catalogueVersions = createVersionCache();

export const catalogueProducts = createProductCache(catalogueVersions, groupsTargetedByDeals);

export const catalogueOffers = createOfferCache(catalogueVersions);

export const catalogueGroupDeals = createGroupDealCache(catalogueVersions);

export const catalogueDelivery = createDeliveryCache(catalogueVersions);
