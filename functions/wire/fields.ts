import { z } from "@hono/zod-openapi";
import { isDeeperThan, type Json, textsIn } from "../../shared/kernel/index.ts";

/** Newline and tab are text; every other control character is not. */
const controls = /[^\P{Cc}\n\t]/u;

/** Half a surrogate pair would be stored as another character than was sent. */
const malformed = "must be well-formed Unicode";

/** Free text of at most `max` characters, without control characters (completions.md 1). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !controls.test(value), "must not contain control characters")
    .refine((value) => value.isWellFormed(), malformed);

/** What a text says; null where it was left out or, as a form has it, is empty. */
export const said = (given: string | null | undefined): string | null =>
  given?.trim() ? given : null;

/** Text that must say something. */
export const name = (max = 200) =>
  text(max).refine((value) => value.trim().length > 0, "must not be empty");

/** An identifier from outside: opaque, so that a strange one is simply not found. */
export const id = () => text(128).min(1);

const maxSlug = 200;

/** What a path takes where an id or a slug names the record. */
export const idOrSlug = () => text(maxSlug).min(1);

export const slug = () =>
  z
    .string()
    .max(maxSlug)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");

/** An address of a picture or page: http(s), or a path of this service. */
export const url = () =>
  text(2048).refine(
    (value) => /^https?:\/\/[^\s]+$/.test(value) || /^\/[^/\s][^\s]*$/.test(value),
    "must be an http(s) URL",
  );

/** Scheme, host and port as a browser's Origin header has them; no sign that ends a source in a policy. */
export const origin = () =>
  z
    .string()
    .max(300)
    .refine(isOrigin, "must be an origin such as https://shop.example")
    .openapi({ example: "https://shop.example" });

const isOrigin = (text: string): boolean =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/**
 * A decimal number as its text, and published so; a JSON number is taken too. Its type is not named by
 * hand: that would hide from the documents where it may be null.
 */
const decimalText = (pattern: RegExp, error: string) =>
  z.preprocess(
    (value) => (typeof value === "number" ? String(value) : value),
    z.string(error).regex(pattern, { error, abort: true }),
  );

/** A decimal amount on the wire; its currency's decimals are checked where it is read. */
export const moneyText = () =>
  decimalText(/^-?\d{1,13}(?:\.\d{1,4})?$/, "must be a decimal amount such as 12.50").openapi({
    example: "12.50",
  });

/** A percentage as a decimal string; numbers are accepted (business-surface.md). */
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

/** Page size: 1 to 100, 20 when left out; outside is refused, not clamped (completions.md 1). */
export const pageLimit = (fallback = 20, max = 100) =>
  queryInteger(1, max)
    .default(fallback)
    .openapi({ type: "integer", minimum: 1, maximum: max, default: fallback });

/** A day of the calendar; what is none is judged by no further rule, which could not read it. */
export const date = () => z.iso.date({ abort: true });

/** An ISO 8601 time and its offset, which may be +01:00, +0100 or +01; its seconds may be left out. */
const timeWithOffset =
  /^([\d-]{10}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;

/** The same as RFC 3339 writes it; what is no such time is left as it is. */
const inFull = (time: string): string =>
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
    .transform(inFull)
    .pipe(z.iso.datetime({ offset: true, error: "must be an ISO 8601 time with an offset" }))
    .transform((value) => Date.parse(value))
    .openapi({ format: "date-time" });

/** An instant in a query, where the + of an offset is a space unless it was encoded. */
export const queryInstant = () =>
  z
    .string()
    .max(64)
    .transform((value) => value.replace(/ (?=\d{2}(?::?\d{2})?$)/, "+"))
    .pipe(instant())
    .openapi({ format: "date-time" });

const jsonBytes = 16 * 1024;

/** Any JSON: what came out of JSON.parse can be nothing else. */
export const jsonValue = z
  .custom<Json>()
  .openapi({ type: ["object", "array", "string", "number", "boolean", "null"] });

/** A free JSON object of at most 16 KiB, kept and given back as it is. */
export const freeObject = () =>
  z
    .record(z.string().max(200), jsonValue)
    .refine((value) => !isDeeperThan(32, value), "must not be nested deeper than 32 levels")
    .refine((value) => JSON.stringify(value).length <= jsonBytes, "must be at most 16 KiB of JSON")
    .refine(
      (value) => !textsIn(value).some((one) => controls.test(one)),
      "must not contain control characters",
    )
    .refine((value) => textsIn(value).every((one) => one.isWellFormed()), malformed)
    .openapi({ additionalProperties: true });
