export * from "./business.ts";
export * from "./change-status.ts";
export {
  commitToCore,
  type MerchantContext,
  type OperatorContext,
  type ShopContext,
} from "./context.ts";
export * from "./create-business.ts";
export * from "./domains/index.ts";
export * from "./due-erasure-repo.ts";
export { type AuthenticatedKey, authenticationRepo } from "./keys/authentication-repo.ts";
export { createBusinessDirectory } from "./keys/business-directory.ts";
export * from "./keys/key.ts";
export * from "./keys/key-changes.ts";
export { keyRepo } from "./keys/key-repo.ts";
export * from "./location-changes.ts";
export * from "./location-repo.ts";
export { organizationRepo } from "./organization-repo.ts";
export * from "./provider-accounts/index.ts";
export { businessesQueries, businessRepo, toBusinesses } from "./repo.ts";
export * from "./update-business.ts";
