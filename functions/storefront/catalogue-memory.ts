import { productCache, versionMemory } from "../../shared/catalogue/index.ts";
import { groupsInDeals, offerCache } from "../../shared/deals/index.ts";

/** What this isolate remembers of catalogues: answers, carts' products and renewals share one clock. */
export const catalogueVersions = versionMemory();

export const catalogueProducts = productCache(catalogueVersions, groupsInDeals);

export const catalogueOffers = offerCache(catalogueVersions);
