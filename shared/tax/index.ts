export { archiveTaxClass, createTaxClass, renameTaxClass } from "./change-tax-class.ts";
export { archiveTaxRate, createTaxRate, updateTaxRate } from "./change-tax-rate.ts";
export type { TaxClass } from "./tax-class.ts";
export { taxClassCodesQuery, taxClassRepo } from "./tax-class-repo.ts";
export type { NewTaxRate, TaxRate, TaxRatePatch } from "./tax-rate.ts";
export { taxRateRepo } from "./tax-rate-repo.ts";
