export * from "./contact.ts";
export * from "./customer.ts";
export * from "./customer-changes.ts";
export { exportCustomers } from "./export-customers.ts";
export * from "./login.ts";
export * from "./login-repo.ts";
export {
  addCustomerNote,
  createCustomer,
  listCustomerNotes,
  updateCustomer,
} from "./manage-customers.ts";
export * from "./repo.ts";
