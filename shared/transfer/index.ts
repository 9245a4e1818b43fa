export { exportProducts } from "./export-products.ts";
export { importProducts } from "./import-products.ts";
export type { ImportResult } from "./import-report.ts";
