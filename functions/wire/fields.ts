import { z } from "@hono/zod-openapi";
import {
  collectStrings,
  isDeeperThan,
  isWebUrlOrPath,
  type Json,
} from "../../shared/kernel/index.ts";

/** Every control character except newline and tab. */
const controlCharacter = /[^\P{Cc}\n\t]/u;

/** A lone surrogate is rejected, because storing it would change the text. */
const malformedMessage = "must be well-formed Unicode";

/** Free text of at most `max` characters, without control characters. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !controlCharacter.test(value), "must not contain control characters")
    .refine((value) => value.isWellFormed(), malformedMessage);

/**
 * The text. Null when the text is missing or blank, because an empty form field is sent as blank
 * text.
 */
export const textOrNull = (value: string | null | undefined): string | null =>
  value?.trim() ? value : null;

/** Text that must not be blank. */
export const name = (max = 200) =>
  text(max).refine((value) => value.trim().length > 0, "must not be empty");

/** An id that a caller sent. The form is not checked, because a malformed id is just not found. */
export const id = () => text(128).min(1);

const maxSlug = 200;

/** The path parameter of a record that can be found by id or by slug. */
export const idOrSlug = () => text(maxSlug).min(1);

export const slug = () =>
  z
    .string()
    .max(maxSlug)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");

/** The URL of an image or a page: an http(s) URL, or a path of this service. */
export const url = () =>
  text(2048).refine(
    (value) => !/\s/.test(value) && isWebUrlOrPath(value),
    "must be an http(s) URL, or a path of this service",
  );

/**
 * An origin in the form that browsers send. Other characters are rejected, because the origin is
 * written into a Content-Security-Policy.
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
 * A decimal number as text; JSON numbers are accepted too. The OpenAPI type is not set explicitly,
 * because the document would then not show that a field is nullable.
 */
const decimalText = (pattern: RegExp, error: string) =>
  z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string(error).regex(pattern, { error, abort: true }),
  );

/** A decimal amount. The currency decides how many decimals are allowed, so parsing checks them. */
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

/**
 * The page size: 1 to 100, by default 20. Any other value is rejected and not reduced to the
 * maximum.
 */
export const pageLimit = (fallback = 20, max = 100) =>
  queryInteger(1, max)
    .default(fallback)
    .openapi({ type: "integer", minimum: 1, maximum: max, default: fallback });

/** A calendar date. An invalid date skips the following rules, because they expect a valid one. */
export const date = () => z.iso.date({ abort: true });

/** An ISO 8601 time with an offset such as +01:00, +0100 or +01. The seconds are optional. */
const timeWithOffset =
  /^([\d-]{10}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;

/** Converts a time with an offset to RFC 3339. Any other text is returned unchanged. */
const toRfc3339 = (time: string): string =>
  time.replace(
    timeWithOffset,
    (_, minute: string, seconds = ":00", hours = "+00", minutes = "00") =>
      `${minute}${seconds}${hours}:${minutes}`,
  );

/** An instant: an ISO 8601 time with any offset, converted to epoch milliseconds. */
export const instant = () =>
  z
    .string()
    .max(64)
    .transform(toRfc3339)
    .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with an offset" }))
    .transform((value) => Date.parse(value))
    .openapi({ format: "date-time" });

/** An instant in a query string. A + that the caller did not encode arrives as a space. */
export const queryInstant = () =>
  z
    .string()
    .max(64)
    .transform((value) => value.replace(/ (?=\d{2}(?::?\d{2})?$)/, "+"))
    .pipe(instant())
    .openapi({ format: "date-time" });

const maxJsonBytes = 16 * 1024;

/** Any JSON value. Not validated, because JSON.parse returns only JSON values. */
export const jsonValue = z
  .custom<Json>()
  .openapi({ type: ["object", "array", "string", "number", "boolean", "null"] });

/** A JSON object with any content, of at most 16 KiB. Stored and returned unchanged. */
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

/** Where callers reach this service and its published files from outside. */
export type PublicAddress = Readonly<{ origin: string; cdnUrl: string }>;

/**
 * An image's URL for a caller on any host. A stored image may be a path of this service.
 *
 * @param address null returns the image as its merchant wrote it.
 */
export function imageUrlAt<U extends string | null>(
  address: PublicAddress | null,
  url: U,
): U | string {
  if (address === null || !url?.startsWith("/")) return url;
  const { origin, cdnUrl } = address;
  return url.startsWith("/cdn/") ? `${cdnUrl}${url.slice("/cdn".length)}` : `${origin}${url}`;
}
