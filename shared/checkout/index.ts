export * from "./checkout.ts";
export * from "./context.ts";
export * from "./give-up-checkout.ts";
export * from "./plan-checkout.ts";
export { EarlierStands } from "./replaced-orders.ts";
export * from "./repo.ts";
export * from "./run-checkout.ts";
