export * from "./adjust-stock.ts";
export * from "./context.ts";
export * from "./level-list-repo.ts";
export type { StockPlace } from "./level-repo.ts";
export * from "./product-levels-repo.ts";
export * from "./reservation.ts";
export * from "./set-stock-level.ts";
export * from "./stock-level.ts";
export * from "./stock-repo.ts";
