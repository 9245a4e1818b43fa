export type { DomainEvent, EventOf, SnapshotOf } from "./catalogue.ts";
export * from "./event-type.ts";
export * from "./examples.ts";

/** What each event means and brings. Its schemas are built for the API's document alone: on first use. */
export const openEventCatalogue = async () => (await import("./catalogue.ts")).eventCatalogue;
