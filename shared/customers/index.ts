export * from "./contact.ts";
export * from "./customer.ts";
export * from "./login.ts";
export * from "./login-repo.ts";
export * from "./repo.ts";
export * from "./update-profile.ts";
export * from "./verify-contact.ts";
