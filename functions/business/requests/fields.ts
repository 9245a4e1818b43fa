import { z } from "@hono/zod-openapi";
import { isCurrency, isPercent, parseMoney } from "../../../shared/kernel/index.ts";
import { currency, percentText } from "../../wire/fields.ts";

/** An IANA time zone name. Intl would also accept offsets such as +01:00. */
export const timezone = () =>
  z
    .string()
    .max(100)
    .refine(isTimezone, "must be an IANA time zone such as Africa/Accra")
    .openapi({ example: "Africa/Accra" });

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false; // Intl throws a RangeError for an unknown time zone
  }
}

export const organizationId = () =>
  z.string().regex(/^org_[0-9a-z]{1,60}$/, "must be an organization's id such as org_01h…");

export const supportedCurrency = () =>
  currency().refine(isCurrency, "must be a currency of ISO 4217").openapi({ example: "GHS" });

export const percent = () => percentText().refine(isPercent, "must be a percentage such as 12.5");

/** An amount in minor units; undefined when it was left out. */
export const parseOptionalMoney = (
  amount: string | undefined,
  currency: string,
  field: string,
): number | undefined => (amount === undefined ? undefined : parseMoney(amount, currency, field));

/** An amount in minor units; null where null was sent, undefined when it was left out. */
export const parseMoneyOrNull = <N extends null | undefined>(
  amount: string | N,
  currency: string,
  field: string,
): number | N => (typeof amount === "string" ? parseMoney(amount, currency, field) : amount);
