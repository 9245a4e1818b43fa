export * from "./account.ts";
export * from "./address.ts";
export { addressRepo } from "./address-repo.ts";
export { type AddContactContext, addContact } from "./contacts/add-contact.ts";
export * from "./contacts/announce-change.ts";
export * from "./contacts/contact.ts";
export { removeContact } from "./contacts/remove-contact.ts";
export * from "./context.ts";
export { type Enrolment, enroll, isEnrolled } from "./enroll.ts";
export { logIn } from "./log-in.ts";
export * from "./mobile-money.ts";
export { mobileMoneyRepo } from "./mobile-money-repo.ts";
export { assignLinkedOrder } from "./orders/assign-linked-order.ts";
export * from "./orders/enroll-with-order.ts";
export type { Notice, OrderLinkContext } from "./orders/notify-owner.ts";
export type { OrderIntent } from "./orders/order-intent.ts";
export { claimDueIntents, deleteOrderIntents, dueIntents } from "./orders/order-intent-repo.ts";
export { linkPersonalData } from "./orders/personal-data-repo.ts";
export { requestOrderLink } from "./orders/request-order-link.ts";
export {
  deleteUnassignedOrders,
  dueUnassignedOrders,
  type UnassignedOrder,
  unassignedOrderRepo,
} from "./orders/unassigned-order-repo.ts";
export { createPaystackDirectory } from "./paystack-directory.ts";
export { confirmPendingDetails } from "./pending/confirmation-repo.ts";
export type { PendingDetails } from "./pending/pending-details.ts";
export {
  deletePendingDetails,
  expiredPendingDetails,
  pendingDetailsRepo,
  purgePendingDetails,
} from "./pending/pending-details-repo.ts";
export { requestEnrolment } from "./pending/request-enrolment.ts";
export { authorizePlatform } from "./platforms/authorize-platform.ts";
export { type BuyerDetails, loadBuyerDetails } from "./platforms/buyer-details-repo.ts";
export {
  isPlatformScope,
  type PlatformGrant,
  type PlatformScope,
  platformAccessTtlMs,
  platformScopes,
} from "./platforms/grant.ts";
export {
  deletePlatformGrants,
  expiredPlatformGrants,
  type LinkedPlatform,
  platformGrantRepo,
  purgePlatformGrants,
} from "./platforms/grant-repo.ts";
export {
  exchangeAuthorizationCode,
  type IssuedPlatformTokens,
  refreshPlatformTokens,
} from "./platforms/issue-tokens.ts";
export * from "./preferences.ts";
export { preferencesRepo } from "./preferences-repo.ts";
export * from "./refresh-session.ts";
export { loadSavedData } from "./saved-data.ts";
export {
  type ActiveLinkSession,
  type IssuedTokens,
  type LinkSession,
  type LoginDevice,
  sessionTokenTtlMs,
} from "./session.ts";
export { expiredLinkSessions, linkSessionRepo, purgeLinkSessions } from "./session-repo.ts";
export * from "./verify-mobile-money.ts";
