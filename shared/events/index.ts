export type { DomainEvent, EventOf, SnapshotOf } from "./catalogue.ts";
export * from "./event-type.ts";
export * from "./examples.ts";

/** Loads the catalogue with its schemas, which only the OpenAPI document needs. */
export const loadEventCatalogue = async () => (await import("./catalogue.ts")).eventCatalogue;
