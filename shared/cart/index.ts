export * from "./add-item.ts";
export * from "./apply-coupon.ts";
export {
  type AskedSlot,
  holdIdOf,
  placeOfLine,
  releaseHolds,
} from "./book-slot.ts";
export * from "./cart.ts";
export * from "./cart-price.ts";
export * from "./change-item.ts";
export * from "./context.ts";
export { outOfStock, tiedNeeds } from "./demand-stock.ts";
export * from "./discount-cart.ts";
export { findRelocked } from "./locked-price.ts";
export * from "./repo.ts";
