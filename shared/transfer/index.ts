export * from "./export-products.ts";
export * from "./import-products.ts";
export type { ImportResult } from "./import-report.ts";
