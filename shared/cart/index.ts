export * from "./add-item.ts";
export * from "./cart.ts";
export * from "./cart-price.ts";
export * from "./change-item.ts";
export * from "./context.ts";
export { outOfStock } from "./demand-stock.ts";
export * from "./repo.ts";
export * from "./stock-needs.ts";
