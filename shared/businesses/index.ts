export * from "./business.ts";
export * from "./context.ts";
export * from "./create-business.ts";
export * from "./directory.ts";
export * from "./key.ts";
export * from "./repo.ts";
