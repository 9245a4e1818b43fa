import type { VisitedShop } from "../shop/open-shop.ts";
import type { ShownService, TimeFilter } from "./time-choice.ts";

/** What is chosen of a service before its time. */
export type ServiceChoice = Readonly<{
  variantId: string | null;
  locationId: string | null;
  staffId: string | null;
  people: number;
  /** The line of the cart that the new time replaces. */
  replacedLine: string | null;
}>;

type ReadValue = (name: string) => string | undefined;

/** The most people who can be booked at once. */
export const maxPeople = ({ capacity, variants }: ShownService): number =>
  Math.min(100, Math.max(capacity, ...variants.map((variant) => variant.capacity ?? 0)));

/** What an address or a form names. What the service does not offer falls back to the usual. */
export function readServiceChoice(service: ShownService, read: ReadValue): ServiceChoice {
  const variants = service.variants.filter((variant) => variant.is_active);
  const usual = variants.find((variant) => variant.is_default) ?? variants[0];
  const people = Number(read("people") || "1");
  return {
    variantId: (variants.find(({ id }) => id === read("variant")) ?? usual)?.id ?? null,
    locationId:
      service.location_ids.find((id) => id === read("location")) ?? service.location_ids[0] ?? null,
    staffId: service.staff.find(({ id }) => id === read("staff"))?.id ?? null,
    people: Number.isInteger(people) ? Math.min(Math.max(people, 1), maxPeople(service)) : 1,
    replacedLine: /^ci_[0-9a-z]+$/.exec(read("replace") ?? "")?.[0] ?? null,
  };
}

export const timeFilterOf = (
  { id }: Pick<ShownService, "id">,
  { variantId, locationId, staffId, people }: ServiceChoice,
): TimeFilter => ({
  service_id: id,
  ...(variantId !== null && { variant_id: variantId }),
  ...(locationId !== null && { location_id: locationId }),
  ...(staffId !== null && { staff_id: staffId }),
  ...(people > 1 && { participant_count: people }),
});

/** The choice as the parts of an address and the hidden fields of a form. */
export const choiceFields = (choice: ServiceChoice): Readonly<Record<string, string>> => ({
  ...(choice.variantId !== null && { variant: choice.variantId }),
  ...(choice.locationId !== null && { location: choice.locationId }),
  ...(choice.staffId !== null && { staff: choice.staffId }),
  ...(choice.people > 1 && { people: String(choice.people) }),
  ...(choice.replacedLine !== null && { replace: choice.replacedLine }),
});

/** The zone of a location's times. */
export const timezoneOf = (
  { business }: Pick<VisitedShop, "business">,
  locationId: string | null,
): string => business.locations.find(({ id }) => id === locationId)?.timezone ?? business.timezone;

export const servicePath = (shop: VisitedShop, slugOrId: string): string =>
  `${shop.path}/services/${encodeURIComponent(slugOrId)}`;
