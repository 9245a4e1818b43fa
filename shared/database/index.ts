export * from "./client.ts";
export * from "./commit.ts";
export * from "./context.ts";
export * from "./shards.ts";
