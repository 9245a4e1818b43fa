export type { DomainEvent, EventOf, SnapshotOf } from "./catalogue.ts";
export * from "./event-type.ts";
export * from "./examples.ts";

/**
 * Loads the event catalogue with its schemas on demand, because only the OpenAPI document needs
 * them.
 */
export const loadEventCatalogue = async () => (await import("./catalogue.ts")).eventCatalogue;
