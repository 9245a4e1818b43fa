import { z } from "zod";
import {
  isCurrency,
  isPercent,
  isWebUrlOrPath,
  type Json,
  weekdays,
} from "../../../kernel/index.ts";

// The values of which the JSON columns of a file consist. Objects may have further fields, which
// newer and older versions write.

export const text = z.string().max(200_000);
export const textOrNull = text.nullable();
export const texts = z.array(text).max(10_000);
export const integer = z.number().int();
export const count = integer.min(0);
export const countOrNull = count.nullable();
export const percent = z.string().refine(isPercent, "must be a percentage such as 12.5");
export const currencyCode = z.string().refine(isCurrency, "must be a currency of ISO 4217");
export const webAddress = text.refine(isWebUrlOrPath, "must be a web address or a path");
export const instant = count.max(Date.UTC(9999, 11, 31));
export const timezoneName = z
  .string()
  .max(100)
  .refine(isTimezone, "must be an IANA time zone such as Africa/Accra");
export const dayTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time such as 09:30");
export const date = z.iso.date();
export const jsonRecord: z.ZodType<Record<string, Json>> = z.record(z.string(), z.json());
export const textRecord = z.record(z.string(), text);
export const listOf = <S extends z.ZodRawShape>(shape: S) =>
  z.array(z.looseObject(shape)).max(20_000);

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const weeklyHours = z.partialRecord(
  z.enum(weekdays),
  listOf({ open: dayTime, close: dayTime }),
);
export const closures = listOf({ from: date, to: date, reason: textOrNull });
export const planInterval = z.enum(["day", "week", "month", "year"]);
export const paymentMethodName = z.enum(["cash", "mobile_money", "card"]);

const selections = listOf({
  componentId: text,
  quantity: count,
  variantId: textOrNull,
  addOnOptionId: textOrNull,
});

const slot = z.looseObject({ start: instant, end: instant, staffId: textOrNull });

/** The fields of a line's choices that a cart also stores with its lines. */
const choiceFields = {
  bundleSelections: selections,
  compositeSelections: selections,
  locationId: textOrNull,
  billingPlanId: textOrNull,
};

export const lineConfiguration = z.looseObject({
  ...choiceFields,
  productId: text,
  variantId: textOrNull,
  addOnOptionIds: texts,
  specialInstructions: textOrNull,
  slot: slot.exactOptional(),
});

export const lineChoices = z.looseObject({
  bundleSelections: selections.exactOptional(),
  compositeSelections: selections.exactOptional(),
  locationId: textOrNull.exactOptional(),
  billingPlanId: textOrNull.exactOptional(),
  slot: slot.exactOptional(),
});

/** Where a subscription's payments are collected. */
export const mobileMoney = z.looseObject({ phoneNumber: text, provider: text }).nullable();
