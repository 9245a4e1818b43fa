export * from "../businesses/tables.ts";
export * from "../link/tables.ts";
export * from "../members/tables.ts";
export * from "../messages/core/tables.ts";
export * from "../moves/tables.ts";
export * from "../one-time-codes/tables.ts";
export * from "../reconciliation/tables.ts";
export * from "./job-failure-tables.ts";
export { idempotencyKeys, jobLeases } from "./tables.ts";
