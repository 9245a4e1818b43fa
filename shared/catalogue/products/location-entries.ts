import { canonicalJson, invalid, type NewId } from "../../kernel/index.ts";
import type { PriceOverride, Product, Variant } from "../product.ts";
import type { ScheduleRule } from "../schedules/schedule.ts";
import { matchEntries } from "./match-entries.ts";
import type { ScheduleDraft } from "./product-draft.ts";

const scheduleKeys = [({ id: _, ...rule }: ScheduleDraft) => canonicalJson(rule)];

/**
 * A product's schedule rules from a merchant's input; unchanged rules keep their ids.
 *
 * @throws Refusal VALIDATION_ERROR for a rule without hours or without days.
 */
export function buildSchedules(
  drafts: readonly ScheduleDraft[],
  previous: readonly ScheduleRule[],
  newId: NewId,
): ScheduleRule[] {
  const matches = matchEntries(drafts, previous, { keys: scheduleKeys, field: "schedules" });
  return drafts.map((draft, index) => {
    const { startTime, endTime, startsOn, endsOn } = draft;
    const field = `schedules.${index}`;
    if (startTime === endTime) throw invalid(`${field}.end_time`, "must differ from start_time");
    if (startsOn !== null && endsOn !== null && endsOn < startsOn) {
      throw invalid(`${field}.ends_on`, "must not be before starts_on");
    }
    return { ...draft, id: matches[index]?.id ?? newId("rule") };
  });
}

/**
 * Returns the price overrides.
 * @throws Refusal VALIDATION_ERROR for a negative price, another product's variant, or two prices
 * for the same location and variant.
 */
export function requireValidPriceOverrides(
  overrides: readonly PriceOverride[],
  variants: readonly Variant[],
): readonly PriceOverride[] {
  const seen = new Set<string>();
  overrides.forEach(({ locationId, variantId, priceMinor }, index) => {
    const field = `price_overrides.${index}`;
    if (priceMinor < 0) throw invalid(`${field}.price`, "must not be negative");
    if (variantId !== null && !variants.some(({ id }) => id === variantId)) {
      throw invalid(`${field}.variant_id`, "is no variant of this product");
    }
    const target = `${locationId} ${variantId}`;
    if (seen.has(target)) throw invalid(field, "repeats the location and variant of another entry");
    seen.add(target);
  });
  return overrides;
}

export const withoutRemovedVariants = (
  overrides: readonly PriceOverride[],
  variants: readonly Variant[],
): readonly PriceOverride[] =>
  overrides.filter(
    ({ variantId }) => variantId === null || variants.some(({ id }) => id === variantId),
  );

type LocationLists = Pick<Product, "priceOverrides" | "schedules">;

/**
 * Rejects new entries for archived locations. Entries that the product already has may stay.
 *
 * @throws Refusal VALIDATION_ERROR naming the first new entry for an archived location.
 */
export function assertNoNewArchivedLocation(
  before: LocationLists,
  after: LocationLists,
  archivedIds: readonly string[],
): void {
  const previousIds = [...before.priceOverrides, ...before.schedules].map(
    ({ locationId }) => locationId,
  );
  const addsArchived = ({ locationId }: Readonly<{ locationId: string | null }>) =>
    locationId !== null && archivedIds.includes(locationId) && !previousIds.includes(locationId);
  const lists = { price_overrides: after.priceOverrides, schedules: after.schedules };
  for (const [field, entries] of Object.entries(lists)) {
    const index = entries.findIndex(addsArchived);
    if (index >= 0) throw invalid(`${field}.${index}.location_id`, "no such location");
  }
}
