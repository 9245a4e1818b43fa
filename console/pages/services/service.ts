import type { BusinessSchemas } from "@duka/sdk/business";

export type ServiceRecord = BusinessSchemas["ServiceRecord"];

/** A length in hours and minutes, such as "1 h 15 min". */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`]
    .filter(Boolean)
    .join(" ");
}

/** The fields of the form. Numbers are texts while they are typed. */
export type ServiceValues = Readonly<{
  name: string;
  description: string;
  default_price: string;
  is_active: boolean;
  duration_minutes: string;
  buffer_minutes: string;
  capacity: string;
  slot_interval_minutes: string;
  min_notice_minutes: string;
  booking_window_days: string;
  cancellation_notice_minutes: string;
  require_verified_contact: boolean;
  location_ids: readonly string[];
  staff_ids: readonly string[];
  resource_ids: readonly string[];
  variants: readonly VariantValues[];
}>;

export type VariantValues = Readonly<{
  /** Names the row of the form. */
  key: string;
  /** Null for a new variant. */
  stored: ServiceRecord["variants"][number] | null;
  name: string;
  price_adjustment: string;
  /** Empty when the service's own counts. */
  duration_minutes: string;
}>;

export const newServiceValues = (locationIds: readonly string[]): ServiceValues => ({
  name: "",
  description: "",
  default_price: "",
  is_active: true,
  duration_minutes: "60",
  buffer_minutes: "0",
  capacity: "1",
  slot_interval_minutes: "",
  min_notice_minutes: "0",
  booking_window_days: "90",
  cancellation_notice_minutes: "0",
  require_verified_contact: false,
  location_ids: locationIds,
  staff_ids: [],
  resource_ids: [],
  variants: [],
});

export const toServiceValues = (service: ServiceRecord): ServiceValues => ({
  name: service.name,
  description: service.description,
  default_price: service.default_price,
  is_active: service.is_active,
  duration_minutes: String(service.duration_minutes),
  buffer_minutes: String(service.buffer_minutes),
  capacity: String(service.capacity),
  slot_interval_minutes: String(service.slot_interval_minutes),
  min_notice_minutes: String(service.min_notice_minutes),
  booking_window_days: String(service.booking_window_days),
  cancellation_notice_minutes: String(service.cancellation_notice_minutes),
  require_verified_contact: service.require_verified_contact,
  location_ids: service.location_ids,
  staff_ids: service.staff.map(({ id }) => id),
  resource_ids: service.resources.map(({ id }) => id),
  variants: service.variants.map((stored) => ({
    key: stored.id,
    stored,
    name: stored.name,
    price_adjustment: stored.price_adjustment,
    duration_minutes: stored.duration_minutes === null ? "" : String(stored.duration_minutes),
  })),
});

export const toServiceFields = (values: ServiceValues) => ({
  name: values.name,
  description: values.description,
  default_price: values.default_price,
  is_active: values.is_active,
  duration_minutes: Number(values.duration_minutes),
  buffer_minutes: Number(values.buffer_minutes),
  capacity: Number(values.capacity),
  slot_interval_minutes: Number(values.slot_interval_minutes || values.duration_minutes),
  min_notice_minutes: Number(values.min_notice_minutes),
  booking_window_days: Number(values.booking_window_days),
  cancellation_notice_minutes: Number(values.cancellation_notice_minutes),
  require_verified_contact: values.require_verified_contact,
  location_ids: values.location_ids,
  staff_ids: values.staff_ids,
  resource_ids: values.resource_ids,
  variants: values.variants.map(({ stored, name, price_adjustment, duration_minutes }, index) => ({
    ...stored,
    name,
    price_adjustment,
    duration_minutes: duration_minutes === "" ? null : Number(duration_minutes),
    ...(stored === null && { is_default: index === 0 && !values.variants.some(isStoredDefault) }),
  })),
});

const isStoredDefault = ({ stored }: VariantValues): boolean => stored?.is_default === true;
