export * from "./archive-service.ts";
export * from "./create-service.ts";
export * from "./service.ts";
export * from "./service-repo.ts";
export * from "./update-service.ts";
