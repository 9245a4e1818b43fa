import { invalid } from "../../kernel/index.ts";
import type { Product } from "../product.ts";

type Naming = Pick<Product, "priceOverrides" | "schedules">;

/** Refuses (VALIDATION_ERROR) one of the archived locations where the product did not name it before. */
export function demandHeldLocations(
  before: Naming,
  after: Naming,
  archivedIds: readonly string[],
): void {
  const held = [...before.priceOverrides, ...before.schedules].map(({ locationId }) => locationId);
  const isNew = ({ locationId }: Readonly<{ locationId: string | null }>) =>
    locationId !== null && archivedIds.includes(locationId) && !held.includes(locationId);
  const lists = { price_overrides: after.priceOverrides, schedules: after.schedules };
  for (const [field, entries] of Object.entries(lists)) {
    const index = entries.findIndex(isNew);
    if (index >= 0) throw invalid(`${field}.${index}.location_id`, "no such location");
  }
}
