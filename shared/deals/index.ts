export * from "./change-deal.ts";
export * from "./deal.ts";
export * from "./deal-draft.ts";
export * from "./deal-repo.ts";
export * from "./offer-cache.ts";
export { groupsInDeals, offerRepo } from "./offer-repo.ts";
export { dealPersonalData } from "./personal-data-repo.ts";
export * from "./redemption-repo.ts";
