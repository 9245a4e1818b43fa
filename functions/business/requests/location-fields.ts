import { z } from "@hono/zod-openapi";
import type { Address } from "../../../shared/businesses/index.ts";
import { weekdays } from "../../../shared/kernel/index.ts";
import { country } from "../../wire/country.ts";
import { date, name, text, textOrNull } from "../../wire/fields.ts";
import { timezone } from "./fields.ts";

const line = () => text(200).nullable().default(null);

const AddressFields = z
  .object({
    street_address: line(),
    city: line(),
    region: line(),
    country: country().nullable().default(null),
    postal_code: text(20).nullable().default(null),
  })
  .openapi("BusinessAddress");

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:30");

const HoursInterval = z
  .object({ open: time, close: time })
  .refine(({ open, close }) => open < close, { path: ["close"], message: "must be after open" });

const DayHours = z
  .array(HoursInterval)
  .max(12)
  .transform((intervals) => intervals.toSorted((a, b) => (a.open < b.open ? -1 : 1)))
  .refine(
    (intervals) =>
      intervals.every(({ close }, index) => close <= (intervals[index + 1]?.open ?? close)),
    "must not overlap",
  );

const timeSchema = { type: "string" as const };

const dayHoursSchema = {
  type: "array" as const,
  maxItems: 12,
  items: {
    type: "object" as const,
    properties: { open: timeSchema, close: timeSchema },
    required: ["open", "close"],
  },
};

/** Opening hours by weekday, in local time. The business is closed on a missing weekday. */
const weeklyHours = z.partialRecord(z.enum(weekdays), DayHours).openapi({
  type: "object",
  properties: Object.fromEntries(weekdays.map((weekday) => [weekday, dayHoursSchema])),
  additionalProperties: false,
});

const OperatingHours = weeklyHours.openapi("OperatingHours");

/**
 * Staff hours. Null means that the location's hours apply. The OpenAPI type is explicit, because
 * `.nullable()` alone would not appear in the document.
 */
export const StaffHours = weeklyHours.nullable().openapi({ type: ["object", "null"] });

const reason = text(500).nullable().default(null);

/** Either one closed day, or the first and the last day of a closed period. */
const ClosureFields = z.union(
  [
    z
      .object({ date: date(), reason })
      .transform(({ date, reason }) => ({ from: date, to: date, reason })),
    z
      .object({ from: date(), to: date(), reason })
      .refine(({ from, to }) => from <= to, { path: ["to"], message: "must not be before from" }),
  ],
  "must be {date} or {from, to} with dates such as 2026-12-25",
);

export const Closures = z.array(ClosureFields).max(500);

const toAddress = (fields: z.infer<typeof AddressFields>): Address => ({
  streetAddress: fields.street_address,
  city: fields.city,
  region: fields.region,
  country: fields.country,
  postalCode: fields.postal_code,
});

export const LocationFields = z
  .object({
    name: name(),
    address: AddressFields.nullable(),
    timezone: timezone(),
    operating_hours: OperatingHours,
    closures: Closures,
    is_default: z.boolean(),
    offers_pickup: z.boolean(),
    pickup_instructions: text(2_000).nullable(),
  })
  .partial();

export const NewLocationBody = LocationFields.required({ name: true });

export const toLocationFields = (fields: z.infer<typeof LocationFields>) => ({
  address: fields.address && toAddress(fields.address),
  timezone: fields.timezone,
  operatingHours: fields.operating_hours,
  closures: fields.closures,
  isDefault: fields.is_default,
  offersPickup: fields.offers_pickup,
  pickupInstructions:
    fields.pickup_instructions === undefined ? undefined : textOrNull(fields.pickup_instructions),
});
