export * from "../catalogue/tables.ts";
export * from "../inventory/tables.ts";
export * from "../orders/tables.ts";
export * from "../payments/tables.ts";
export * from "../scheduling/tables.ts";
export * from "../webhooks/tables.ts";
export * from "./tables.ts";
