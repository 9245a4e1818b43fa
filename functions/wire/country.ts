import { z } from "@hono/zod-openapi";

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/**
 * Codes that Intl can name although they are no countries, but unions or reserved for private use.
 */
const noCountries = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"];

/** A country's code in capitals. The caller may write it in small letters. */
export const country = () =>
  z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be a two-letter ISO 3166 code")
    .transform((code) => code.toUpperCase())
    .refine(isCountry, "must be a country of ISO 3166")
    .openapi({ example: "GH" });

/** Whether a code in capitals is a country's. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && countries.of(code) !== undefined && !noCountries.includes(code);
