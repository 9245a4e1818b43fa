export { archiveDeal, createDeal, updateDeal } from "./change-deal.ts";
export {
  appliesToField,
  type Deal,
  type DealPatch,
  type DealWithCoverage,
  type NewDeal,
  scopesOf,
} from "./deal.ts";
export { dealStatuses } from "./deal-filter-query.ts";
export { dealRepo } from "./deal-repo.ts";
export { type AppliesTo, dealScopes } from "./deal-scope.ts";
export { createGroupDealCache } from "./group-deal-cache.ts";
export { createOfferCache } from "./offer-cache.ts";
export {
  groupsTargetedByDeals,
  type OfferedDeals,
  offerRepo,
  offerUnchanged,
} from "./offer-repo.ts";
export { type DealUser, dealUserGroupsQuery } from "./redemptions/deal-user-query.ts";
export { dealPersonalData } from "./redemptions/personal-data-repo.ts";
export {
  assignRedemptions,
  exhaustedDealType,
  redemptionRepo,
  releaseRedemptionsOfOrders,
} from "./redemptions/redemption-repo.ts";
