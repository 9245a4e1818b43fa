import { z } from "@hono/zod-openapi";
import {
  type Address,
  type Closure,
  type Location,
  weekdays,
} from "../../../../shared/businesses/index.ts";
import { isoOrNull } from "../../../../shared/kernel/index.ts";
import { text } from "../../../wire/fields.ts";
import { PublicLocation, viewPublicLocation } from "../../../wire/views/location.ts";
import { country, day } from "../../requests/fields.ts";

const line = () => text(200).nullable().default(null);

export const AddressFields = z
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

const Interval = z
  .object({ open: time, close: time })
  .refine(({ open, close }) => open < close, { path: ["close"], message: "must be after open" });

const DayHours = z
  .array(Interval)
  .max(12)
  .transform((intervals) => intervals.toSorted((a, b) => (a.open < b.open ? -1 : 1)))
  .refine(
    (intervals) =>
      intervals.every(({ close }, index) => close <= (intervals[index + 1]?.open ?? close)),
    "must not overlap",
  );

const publishedTime = { type: "string" as const };

const publishedHours = {
  type: "array" as const,
  maxItems: 12,
  items: {
    type: "object" as const,
    properties: { open: publishedTime, close: publishedTime },
    required: ["open", "close"],
  },
};

/** Local times by weekday; a day that is missing is closed. */
const weeklyHours = z.partialRecord(z.enum(weekdays), DayHours).openapi({
  type: "object",
  properties: Object.fromEntries(weekdays.map((weekday) => [weekday, publishedHours])),
  additionalProperties: false,
});

export const OperatingHours = weeklyHours.openapi("OperatingHours");

/** As operating hours, or null for those of the location; `.nullable()` alone would not be published. */
export const StaffHours = weeklyHours.nullable().openapi({ type: ["object", "null"] });

const reason = text(500).nullable().default(null);

/** A day, or from the first closed day to the last. */
const ClosureFields = z.union(
  [
    z
      .object({ date: day(), reason })
      .transform(({ date, reason }) => ({ from: date, to: date, reason })),
    z
      .object({ from: day(), to: day(), reason })
      .refine(({ from, to }) => from <= to, { path: ["to"], message: "must not be before from" }),
  ],
  "must be a closed day {date}, or days {from, to}, such as 2026-12-25",
);

export const Closures = z.array(ClosureFields).max(500);

export const ClosureView = z.object({
  from: z.string(),
  to: z.string(),
  reason: z.string().nullable(),
});

export const viewClosures = (closures: readonly Closure[]): z.infer<typeof ClosureView>[] =>
  closures.map((closure) => ({ ...closure }));

/** A location as its merchant sees it: the public record, and the rest. */
export const LocationView = PublicLocation.extend({
  closures: z.array(ClosureView),
  archived_at: z.string().nullable(),
}).openapi("BusinessLocation");
export type LocationView = z.infer<typeof LocationView>;

export const viewLocation = (
  location: Location,
  archivedAt: number | null = null,
): LocationView => ({
  ...viewPublicLocation(location),
  closures: viewClosures(location.closures),
  archived_at: isoOrNull(archivedAt),
});

export const readAddress = (fields: z.infer<typeof AddressFields>): Address => ({
  streetAddress: fields.street_address,
  city: fields.city,
  region: fields.region,
  country: fields.country,
  postalCode: fields.postal_code,
});
