export * from "./contact.ts";
export * from "./customer.ts";
export * from "./customer-changes.ts";
export * from "./login.ts";
export * from "./login-repo.ts";
export * from "./repo.ts";
