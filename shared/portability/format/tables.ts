// The tables whose rows a file of a business contains. Table formats read their columns.
export { locations } from "../../businesses/tables.ts";
export { attributes } from "../../catalogue/attributes/tables.ts";
export { collectionProducts, collections } from "../../catalogue/collections/tables.ts";
export { billingPlans } from "../../catalogue/plans/tables.ts";
export {
  boughtTogether,
  bundles,
  categories,
  composites,
  products,
  productVariants,
} from "../../catalogue/tables.ts";
export { customerGroupMembers, customerGroups, customers } from "../../customers/tables.ts";
export { auditEntries } from "../../database/tables.ts";
export { dealRedemptions, deals } from "../../deals/tables.ts";
export { deliveryAreas, deliveryMethods, deliveryZones } from "../../delivery/tables.ts";
export { stockLevels, stockMovements, stockReservations } from "../../inventory/tables.ts";
export { members } from "../../members/tables.ts";
export {
  messageOptOuts,
  messageSettings,
  messageTemplates,
  suppressedRecipients,
} from "../../messages/tables.ts";
export { notes } from "../../notes/tables.ts";
export {
  orderHistory,
  orderLines,
  orderSequences,
  orders,
  orderTerms,
} from "../../orders/tables.ts";
export { refunds } from "../../payments/refunds/tables.ts";
export { paymentReferences, payments } from "../../payments/tables.ts";
export { bookings, resources, services, slotClaims, staff } from "../../scheduling/tables.ts";
export { shipmentItems, shipments } from "../../shipments/tables.ts";
export { subscriptionInvoices, subscriptions } from "../../subscriptions/tables.ts";
export { supportConversations } from "../../support/tables.ts";
export { taxClasses, taxRates } from "../../tax/tables.ts";
export { uploads } from "../../uploads/tables.ts";
