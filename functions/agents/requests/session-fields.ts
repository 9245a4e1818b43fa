import { z } from "@hono/zod-openapi";
import { text } from "../../wire/fields.ts";

/** The most of each list that a record takes. The model bounds what a cart holds. */
const maxLines = 200;
const maxDestinations = 20;
const maxCodes = 20;
const maxPurposes = 50;
/** A larger quantity is no other request than this one, which no cart takes. */
const maxQuantity = 1_000_000;

const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? null);

/** Duka sells whole items, so that no other unit can be meant. */
const quantityUnit = z
  .object({ unit: z.literal("C62"), scale: z.literal(0).optional() })
  .optional();

const line = z.object({
  id: optional(text(128)),
  item: z.object({ id: text(300).min(1), quantity_unit: quantityUnit }),
  quantity: z
    .number()
    .int()
    .min(1)
    .transform((count) => Math.min(count, maxQuantity)),
});

const granted = z.object({
  granted: z.boolean(),
  source: z.enum(["business", "platform"]).default("platform"),
});
const purposeName = text(200).min(1);

/** 2026-04-08 has a flag for each purpose, 2026-08-25 an object. */
const consent = z
  .record(
    purposeName,
    z.union([z.boolean(), granted.extend({ segments: z.record(purposeName, granted).optional() })]),
  )
  .refine(
    (purposes) => Object.keys(purposes).length <= maxPurposes,
    `must have at most ${maxPurposes} purposes`,
  );
export type SentConsent = z.output<typeof consent>;

const buyer = z.object({
  first_name: optional(text(200)),
  last_name: optional(text(200)),
  email: optional(text(320)),
  phone_number: optional(text(40)),
  consent: optional(consent),
});

const destination = z.object({
  id: optional(text(128)),
  first_name: optional(text(200)),
  last_name: optional(text(200)),
  phone_number: optional(text(40)),
  street_address: optional(text(500)),
  extended_address: optional(text(500)),
  address_locality: optional(text(200)),
  address_region: optional(text(200)),
  postal_code: optional(text(40)),
  address_country: optional(text(100)),
});
export type SentDestination = z.output<typeof destination>;

const group = z.object({ selected_option_id: optional(text(128)) });

const method = z.object({
  id: optional(text(128)),
  type: optional(text(50)),
  destinations: optional(z.array(destination).max(maxDestinations)),
  selected_destination_id: text(128).nullish(),
  groups: optional(z.array(group).max(maxLines)),
});
export type SentMethod = z.output<typeof method>;

const lines = z.array(line).max(maxLines);

const fields = {
  buyer: optional(buyer),
  discounts: optional(z.object({ codes: optional(z.array(text(100)).max(maxCodes)) })),
};

export const CartRequest = z.object({ ...fields, line_items: lines });

export const CheckoutRequest = z.object({
  ...fields,
  line_items: lines,
  fulfillment: optional(z.object({ methods: optional(z.array(method).max(maxDestinations)) })),
});
export type SentCheckout = z.output<typeof CheckoutRequest>;

/** A checkout that begins with a cart takes the cart's contents and ignores its own. */
export const ConversionRequest = z.object({ cart_id: text(128).min(1) });

const credential = z.object({
  type: text(100),
  token: optional(text(2_000)),
  phone_number: optional(text(40)),
  provider: optional(text(100)),
});

const instrument = z.object({
  handler_id: text(200),
  selected: z.boolean().optional(),
  credential: optional(credential),
});
export type SentInstrument = z.output<typeof instrument>;

export const CompletionRequest = z.object({
  payment: z.object({ instruments: z.array(instrument).min(1).max(20) }),
});
