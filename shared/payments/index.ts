export * from "./mobile-money.ts";
export * from "./payment.ts";
export * from "./provider.ts";
export * from "./repo.ts";
export { sandboxProvider } from "./sandbox.ts";
