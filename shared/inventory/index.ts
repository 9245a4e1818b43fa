export { adjustStock, setStockLevel } from "./change-stock.ts";
export { type LowStock, lowStockRead } from "./low-stock-query.ts";
export { releaseStockOfOrders } from "./release-repo.ts";
export { planReservation, type StockReservation } from "./reservation.ts";
export {
  fulfilStock,
  isStockShortage,
  releaseStock,
  reserveStock,
  reserveStockAnywhere,
  restockOrder,
  type StockRequirement,
} from "./reservation-repo.ts";
export { planShippedStock, type ShippableLevel } from "./shipped-stock.ts";
export { levelsToShipQuery, removeShippedStock } from "./shipped-stock-repo.ts";
export { importStockLevels, type StockLevelKey } from "./stock-change-repo.ts";
export { availableQuantity, isLowStock, type StockLevel } from "./stock-level.ts";
export {
  findStockLevels,
  levelsAtLocationQuery,
  listStockLevels,
  productLevelsQuery,
  type StockLevelCursor,
  type StockLevelFilter,
  stockedItemsQuery,
} from "./stock-level-repo.ts";
export { listStockMovements, type StockMovement } from "./stock-movement-query.ts";
export {
  createStockReport,
  type StockReport,
  type ValuedStockLevel,
} from "./stock-report-query.ts";
