export { findOffer } from "./find-offer.ts";
export { findStock } from "./find-stock.ts";
export { isInStock } from "./is-in-stock.ts";
export { type Availability, availabilityOf, type Place, type Stock, stockOf } from "./stock.ts";
export { type StockNeeds, stockNeeds } from "./stock-needs.ts";
