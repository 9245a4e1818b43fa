import { z } from "@hono/zod-openapi";
import {
  type Business,
  bookingRefundModes,
  businessStatuses,
  cancellationLimits,
  erasureTimeOf,
  fxProviders,
  intents,
  paymentMethods,
  paymentOwners,
  providerNames,
  type Settings,
} from "../../../../shared/businesses/index.ts";
import { formatMoney, iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import { AppearanceView, viewAppearance } from "../../../wire/views/appearance.ts";
import { LocationView, viewLocation } from "./location.ts";

const StaticRatesView = z.object({ base: z.string(), rates: z.record(z.string(), z.string()) });

export const BusinessView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    mode: z.enum(["live", "test"]),
    currency: z.string(),
    default_country: z.string(),
    timezone: z.string(),
    organization_id: z.string().nullable(),
    payments: z.enum(paymentOwners),
    status: z.enum(businessStatuses),
    suspended_at: z.string().nullable(),
    closed_at: z.string().nullable(),
    /** When a closed business is erased. */
    erase_at: z.string().nullable(),
    tax: z.object({ rate_percent: z.string(), inclusive: z.boolean() }),
    auto_confirm: z.boolean(),
    booking_refunds: z.enum(bookingRefundModes),
    customer_cancellation: z.enum(cancellationLimits).nullable(),
    allowed_origins: z.array(z.string()),
    payment_methods: z.array(z.enum(paymentMethods)),
    payment_routing: z.object({
      card: z.array(z.enum(providerNames)),
      mobile_money: z.array(z.enum(providerNames)),
    }),
    order_number_prefix: z.string(),
    low_stock_threshold: z.number().int(),
    max_coupons: z.number().int(),
    free_delivery_threshold: z.string().nullable(),
    incentives: z.array(
      z.object({ intent: z.enum(intents), template_id: z.string(), agent_id: z.string() }),
    ),
    fx: z.object({ provider: z.enum(fxProviders), static_rates: StaticRatesView.nullable() }),
    rate_limits: z.object({
      public_per_second_per_address: z.number().int().nullable(),
      public_per_minute: z.number().int().nullable(),
      public_per_minute_per_address: z.number().int().nullable(),
      secret_per_second: z.number().int().nullable(),
    }),
    unpaid_limits: z.object({
      holds_per_session: z.number().int().nullable(),
      bookings_per_contact: z.number().int().nullable(),
      per_address: z.number().int().nullable(),
    }),
    appearance: AppearanceView,
    locations: z.array(LocationView),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("BusinessAccount");
export type BusinessView = z.infer<typeof BusinessView>;

export const viewBusiness = (business: Business): BusinessView => ({
  id: business.id,
  name: business.name,
  slug: business.slug,
  mode: business.mode,
  currency: business.currency,
  default_country: business.defaultCountry,
  timezone: business.timezone,
  organization_id: business.organizationId,
  payments: business.payments,
  ...viewStatus(business),
  ...viewSettings(business.settings, business),
  locations: business.locations.map((location) => viewLocation(location)),
  created_at: iso(business.createdAt),
  updated_at: iso(business.updatedAt),
});

const viewStatus = (business: Business) => {
  const { status } = business;
  return {
    status: status.type,
    suspended_at: status.type === "suspended" ? iso(status.suspendedAt) : null,
    closed_at: status.type === "closed" ? iso(status.closedAt) : null,
    erase_at: isoOrNull(erasureTimeOf(business)),
  };
};

const viewSettings = (settings: Settings, { currency }: { currency: string }) => ({
  tax: { rate_percent: settings.tax.ratePercent, inclusive: settings.tax.isInclusive },
  auto_confirm: settings.autoConfirm,
  booking_refunds: settings.bookingRefunds,
  customer_cancellation: settings.customerCancellation,
  allowed_origins: [...settings.allowedOrigins],
  payment_methods: [...settings.paymentMethods],
  payment_routing: {
    card: [...settings.paymentRouting.card],
    mobile_money: [...settings.paymentRouting.mobile_money],
  },
  order_number_prefix: settings.orderNumberPrefix,
  low_stock_threshold: settings.lowStockThreshold,
  max_coupons: settings.maxCoupons,
  free_delivery_threshold:
    settings.freeDeliveryThresholdMinor === null
      ? null
      : formatMoney(settings.freeDeliveryThresholdMinor, currency),
  incentives: settings.incentives.map(({ intent, templateId, agentId }) => ({
    intent,
    template_id: templateId,
    agent_id: agentId,
  })),
  fx: viewFx(settings.fx),
  rate_limits: viewRateLimits(settings.rateLimits),
  unpaid_limits: viewUnpaidLimits(settings.unpaidLimits),
  appearance: viewAppearance(settings),
});

const viewFx = ({ provider, staticRates }: Settings["fx"]) => ({
  provider,
  static_rates: staticRates && { base: staticRates.base, rates: { ...staticRates.rates } },
});

/** Null means the default limit (docs/contract/conventions.md#rate-limits). */
const viewRateLimits = (limits: Settings["rateLimits"]) => ({
  public_per_second_per_address: limits.publicPerSecondPerAddress ?? null,
  public_per_minute: limits.publicPerMinute ?? null,
  public_per_minute_per_address: limits.publicPerMinutePerAddress ?? null,
  secret_per_second: limits.secretPerSecond ?? null,
});

/** Null means the default limit (docs/contract/conventions.md#unpaid-limits). */
const viewUnpaidLimits = (limits: Settings["unpaidLimits"]) => ({
  holds_per_session: limits.holdsPerSession ?? null,
  bookings_per_contact: limits.bookingsPerContact ?? null,
  per_address: limits.perAddress ?? null,
});
