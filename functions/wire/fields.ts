import { z } from "@hono/zod-openapi";
import { collectStrings, isDeeperThan, type Json } from "../../shared/kernel/index.ts";

/** Every control character except newline and tab. */
const controlCharacter = /[^\P{Cc}\n\t]/u;

/** A lone surrogate would be stored as a different character. */
const malformedMessage = "must be well-formed Unicode";

/** Free text of at most `max` characters, without control characters. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !controlCharacter.test(value), "must not contain control characters")
    .refine((value) => value.isWellFormed(), malformedMessage);

/** The text; null if it was left out or is blank, as an empty form field is. */
export const textOrNull = (given: string | null | undefined): string | null =>
  given?.trim() ? given : null;

/** Text that must not be blank. */
export const name = (max = 200) =>
  text(max).refine((value) => value.trim().length > 0, "must not be empty");

/** An identifier from a caller. Its form is not checked: an unknown one is simply not found. */
export const id = () => text(128).min(1);

const maxSlug = 200;

/** The path parameter of a record that is found by id or slug. */
export const idOrSlug = () => text(maxSlug).min(1);

export const slug = () =>
  z
    .string()
    .max(maxSlug)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");

/** The URL of an image or page: http(s), or a path of this service. */
export const url = () =>
  text(2048).refine(
    (value) => /^https?:\/\/[^\s]+$/.test(value) || /^\/[^/\s][^\s]*$/.test(value),
    "must be an http(s) URL",
  );

/**
 * An origin as browsers send it, without characters that could end a source in a security policy.
 */
export const origin = () =>
  z
    .string()
    .max(300)
    .refine(isOrigin, "must be an origin such as https://shop.example")
    .openapi({ example: "https://shop.example" });

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/**
 * A decimal number as text, documented as a string; JSON numbers are accepted too. The OpenAPI type
 * is derived, because naming it would hide that a field is nullable.
 */
const decimalText = (pattern: RegExp, error: string) =>
  z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string(error).regex(pattern, { error, abort: true }),
  );

/** A decimal amount. The number of decimals of its currency is checked where it is parsed. */
export const moneyText = () =>
  decimalText(/^-?\d{1,13}(?:\.\d{1,4})?$/, "must be a decimal amount such as 12.50").openapi({
    example: "12.50",
  });

/** A percentage as a decimal string; JSON numbers are accepted too. */
export const percentText = () =>
  decimalText(/^\d{1,3}(?:\.\d{1,4})?$/, "must be a percentage such as 12.5")
    .refine((value) => Number(value) <= 100, "must be at most 100")
    .openapi({ example: "12.5" });

export const currency = () =>
  z
    .string()
    .regex(/^[A-Za-z]{3}$/, "must be an ISO 4217 code")
    .transform((value) => value.toUpperCase());

/** A whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,10}$/, { error: "must be a whole number", abort: true })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .openapi({ type: "integer", minimum: min, maximum: max });

export const queryBoolean = () =>
  z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .openapi({ type: "boolean" });

/** Page size: 1 to 100, 20 by default. Other values are refused, not clamped. */
export const pageLimit = (fallback = 20, max = 100) =>
  queryInteger(1, max)
    .default(fallback)
    .openapi({ type: "integer", minimum: 1, maximum: max, default: fallback });

/** A calendar date. Further rules are skipped for an invalid one, which they could not read. */
export const date = () => z.iso.date({ abort: true });

/** An ISO 8601 time and its offset, which may be +01:00, +0100 or +01; its seconds may be left out. */
const timeWithOffset =
  /^([\d-]{10}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;

/** The time in RFC 3339 form; anything else is returned unchanged. */
const toRfc3339 = (time: string): string =>
  time.replace(
    timeWithOffset,
    (_, minute: string, seconds = ":00", hours = "+00", minutes = "00") =>
      `${minute}${seconds}${hours}:${minutes}`,
  );

/** An instant in any ISO 8601 offset, as epoch milliseconds. */
export const instant = () =>
  z
    .string()
    .max(64)
    .transform(toRfc3339)
    .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with an offset" }))
    .transform((value) => Date.parse(value))
    .openapi({ format: "date-time" });

/** An instant in a query, where an unencoded + of the offset arrives as a space. */
export const queryInstant = () =>
  z
    .string()
    .max(64)
    .transform((value) => value.replace(/ (?=\d{2}(?::?\d{2})?$)/, "+"))
    .pipe(instant())
    .openapi({ format: "date-time" });

const maxJsonBytes = 16 * 1024;

/** Any JSON value; JSON.parse can return nothing else. */
export const jsonValue = z
  .custom<Json>()
  .openapi({ type: ["object", "array", "string", "number", "boolean", "null"] });

/** A free JSON object of at most 16 KiB, stored and returned unchanged. */
export const freeObject = () =>
  z
    .record(z.string().max(200), jsonValue)
    .refine((value) => !isDeeperThan(32, value), "must not be nested deeper than 32 levels")
    .refine(
      (value) => JSON.stringify(value).length <= maxJsonBytes,
      "must be at most 16 KiB of JSON",
    )
    .refine(
      (value) => !collectStrings(value).some((one) => controlCharacter.test(one)),
      "must not contain control characters",
    )
    .refine((value) => collectStrings(value).every((one) => one.isWellFormed()), malformedMessage)
    .openapi({ additionalProperties: true });
