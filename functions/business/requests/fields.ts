import { z } from "@hono/zod-openapi";
import { isCurrency, isPercent } from "../../../shared/kernel/index.ts";
import { currency, date, percentText } from "../../wire/fields.ts";

/** An IANA name, which Intl knows; it would take offsets such as +01:00 too. */
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
    return false; // a RangeError is how Intl says that it does not know the zone
  }
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Two letters that Intl can name and that are no country: unions, and codes for private use. */
const noCountries = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"];

export const country = () =>
  z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166 code of two letters")
    .transform((code) => code.toUpperCase())
    .refine(
      (code) => countries.of(code) !== undefined && !noCountries.includes(code),
      "is not a country of ISO 3166",
    )
    .openapi({ example: "GH" });

export const knownCurrency = () =>
  currency().refine(isCurrency, "is not a currency of ISO 4217").openapi({ example: "GHS" });

export const percent = () => percentText().refine(isPercent, "must be a percentage such as 12.5");

/** A calendar day; Date.parse alone would take the 30th of February for a day in March. */
export const day = date;
