export { findStock } from "./find-stock.ts";
export { type Availability, availabilityOf, type Place, type Stock, stockOf } from "./stock.ts";
