export {
  findAvailableNow,
  findStock,
  findStockedPage,
  type StockedProductPage,
} from "./find-stock.ts";
export { isInStock } from "./is-in-stock.ts";
export { type LineFulfilment, lineFulfilment } from "./line-fulfilment.ts";
export {
  type Availability,
  availabilityOf,
  type Stock,
  type StockLocations,
  stockAt,
} from "./stock.ts";
export { containedItems, type StockNeeds, stockNeeds } from "./stock-needs.ts";
