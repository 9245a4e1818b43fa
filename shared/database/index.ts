export * from "./audit-repo.ts";
export * from "./client.ts";
export * from "./commit.ts";
export * from "./context.ts";
export * from "./idempotency-repo.ts";
export type { OwnTables } from "./own-tables.ts";
export * from "./personal-data.ts";
export * from "./shards.ts";
export { events } from "./tables.ts";
