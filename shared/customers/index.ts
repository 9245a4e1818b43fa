export * from "./contact.ts";
export { type ContactProof, type CustomerIdQuery, contactOwnerRepo } from "./contact-owner-repo.ts";
export * from "./customer.ts";
export * from "./customer-changes.ts";
export {
  archiveCustomerGroup,
  createCustomerGroup,
  updateCustomerGroup,
} from "./groups/change-customer-group.ts";
export {
  type CustomerGroupPatch,
  maxGroupCustomers,
  type NewCustomerGroup,
} from "./groups/customer-group.ts";
export { createCustomerGroupCache } from "./groups/customer-group-cache-repo.ts";
export {
  type CustomerGroupRecord,
  customerGroupIdsQuery,
  customerGroupPersonalData,
  customerGroupRepo,
  unknownCustomerGroupIds,
} from "./groups/customer-group-repo.ts";
export * from "./login.ts";
export * from "./login-repo.ts";
export { exportCustomers } from "./merchant/export-customers.ts";
export {
  addCustomerNote,
  createCustomer,
  listCustomerNotes,
  updateCustomer,
} from "./merchant/manage-customers.ts";
export * from "./repo.ts";
