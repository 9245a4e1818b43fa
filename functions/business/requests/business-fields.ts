import { z } from "@hono/zod-openapi";
import {
  type BusinessPatch,
  bookingRefundModes,
  cancellationLimits,
  fxProviders,
  intents,
  paymentMethods,
  paymentOwners,
  providerNames,
} from "../../../shared/businesses/index.ts";
import { invalid, isSafeLink, parseMoney } from "../../../shared/kernel/index.ts";
import { moneyText, name, origin, slug, text } from "../../wire/fields.ts";
import { organizationId, percent, supportedCurrency } from "./fields.ts";

const rate = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,10}(?:\.\d{1,10})?$/, "must be a decimal rate such as 12.5"))
  .refine((value) => Number(value) > 0, "must be greater than 0")
  .refine(
    (value) => value.replace(".", "").replace(/^0+/, "").length <= 10,
    "must have at most 10 significant digits",
  )
  .openapi({ type: "string", example: "12.5" });

const StaticRatesFields = z.object({
  base: supportedCurrency(),
  rates: z.record(supportedCurrency(), rate),
});

const IncentivesFields = z
  .array(z.object({ intent: z.enum(intents), template_id: name(), agent_id: name() }))
  .max(intents.length)
  .refine(
    (incentives) => new Set(incentives.map(({ intent }) => intent)).size === incentives.length,
    "must contain at most one incentive for each intent",
  );

/** The providers of a payment method, in order of preference. */
const route = z.array(z.enum(providerNames)).min(1).max(20);

/** How the hosted pages look. Null takes a value back. */
export const AppearanceFields = z
  .object({
    logo_url: text(2048).refine(isSafeLink, "must be an https URL").nullable(),
    accent_color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #0f766e")
      .toLowerCase()
      .nullable(),
  })
  .partial();

export const toAppearance = (fields: z.infer<typeof AppearanceFields>) => ({
  logoUrl: fields.logo_url,
  accentColor: fields.accent_color,
});

const requestLimit = z.number().int().min(1).max(1_000_000).nullable().optional();

export const BusinessFields = z
  .object({
    name: name(),
    slug: slug(),
    organization_id: organizationId().nullable(),
    payments: z.enum(paymentOwners),
    tax: z.object({ rate_percent: percent(), inclusive: z.boolean() }).partial(),
    auto_confirm: z.boolean(),
    booking_refunds: z.enum(bookingRefundModes),
    customer_cancellation: z.enum(cancellationLimits).nullable(),
    allowed_origins: z.array(origin()).max(100),
    payment_methods: z.array(z.enum(paymentMethods)).max(20),
    payment_routing: z.object({ card: route, mobile_money: route }).partial(),
    order_number_prefix: text(20)
      .refine((prefix) => !/[\n\t]/.test(prefix), "must not contain line breaks or tabs")
      .refine(
        (prefix) => !/\d$/.test(prefix),
        "must not end in a digit, because order numbers could become ambiguous",
      ),
    low_stock_threshold: z.number().int().min(0).max(1_000_000),
    max_coupons: z.number().int().min(1).max(5),
    free_delivery_threshold: moneyText().nullable(),
    incentives: IncentivesFields,
    fx: z
      .object({ provider: z.enum(fxProviders), static_rates: StaticRatesFields.nullable() })
      .partial(),
    rate_limits: z.object({
      public_per_second_per_address: requestLimit,
      public_per_minute: requestLimit,
      public_per_minute_per_address: requestLimit,
      secret_per_second: requestLimit,
    }),
    unpaid_limits: z.object({
      holds_per_session: requestLimit,
      bookings_per_contact: requestLimit,
      per_address: requestLimit,
    }),
    appearance: AppearanceFields,
  })
  .partial()
  .openapi("BusinessFields");
type BusinessFields = z.infer<typeof BusinessFields>;

/** Converts the request's fields to a patch. Amounts are parsed in the given currency. */
export const toBusinessPatch = (fields: BusinessFields, currency: string): BusinessPatch => ({
  name: fields.name,
  slug: fields.slug,
  organizationId: fields.organization_id,
  payments: fields.payments,
  tax: fields.tax && { ratePercent: fields.tax.rate_percent, isInclusive: fields.tax.inclusive },
  autoConfirm: fields.auto_confirm,
  bookingRefunds: fields.booking_refunds,
  customerCancellation: fields.customer_cancellation,
  allowedOrigins: withoutRepeats(fields.allowed_origins),
  paymentMethods: withoutRepeats(fields.payment_methods),
  paymentRouting: fields.payment_routing && {
    card: withoutRepeats(fields.payment_routing.card),
    mobile_money: withoutRepeats(fields.payment_routing.mobile_money),
  },
  orderNumberPrefix: fields.order_number_prefix,
  lowStockThreshold: fields.low_stock_threshold,
  maxCoupons: fields.max_coupons,
  freeDeliveryThresholdMinor: parseThreshold(fields.free_delivery_threshold, currency),
  incentives: fields.incentives?.map(({ intent, template_id, agent_id }) => ({
    intent,
    templateId: template_id,
    agentId: agent_id,
  })),
  fx: fields.fx && { provider: fields.fx.provider, staticRates: fields.fx.static_rates },
  rateLimits: fields.rate_limits && {
    publicPerSecondPerAddress: fields.rate_limits.public_per_second_per_address,
    publicPerMinute: fields.rate_limits.public_per_minute,
    publicPerMinutePerAddress: fields.rate_limits.public_per_minute_per_address,
    secretPerSecond: fields.rate_limits.secret_per_second,
  },
  unpaidLimits: fields.unpaid_limits && {
    holdsPerSession: fields.unpaid_limits.holds_per_session,
    bookingsPerContact: fields.unpaid_limits.bookings_per_contact,
    perAddress: fields.unpaid_limits.per_address,
  },
  appearance: fields.appearance && toAppearance(fields.appearance),
});

const withoutRepeats = <T>(values: readonly T[] | undefined): T[] | undefined =>
  values && [...new Set(values)];

function parseThreshold(amount: string | null | undefined, currency: string) {
  if (amount === null || amount === undefined) return amount;
  const minor = parseMoney(amount, currency, "free_delivery_threshold");
  if (minor < 0) throw invalid("free_delivery_threshold", "must not be negative");
  return minor;
}
