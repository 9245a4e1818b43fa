import type { Tenant } from "../kernel/index.ts";

export const paymentMethods = ["cash", "mobile_money", "card"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

/** Local times `HH:MM`. */
export type OpeningHours = Readonly<
  Partial<Record<Weekday, readonly Readonly<{ open: string; close: string }>[]>>
>;

/** Whole local days, both ends closed. */
export type Closure = Readonly<{ from: string; to: string; reason: string | null }>;

export type Address = Readonly<{
  streetAddress: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
  postalCode: string | null;
}>;

export type Location = Readonly<{
  id: string;
  name: string;
  address: Address | null;
  timezone: string;
  operatingHours: OpeningHours;
  closures: readonly Closure[];
  isDefault: boolean;
}>;

/** Requests admitted; where there is none, the contract's figure holds (interface.md, Limits). */
export type RateLimits = Readonly<{
  publicPerSecondPerAddress?: number | null | undefined;
  publicPerMinute?: number | null | undefined;
  secretPerSecond?: number | null | undefined;
}>;

/** How ready a shopper is to buy (completions.md 11). */
export const intents = ["baseline", "considering", "ready_to_buy"] as const;
export type Intent = (typeof intents)[number];

/** What a storefront is told to offer to a shopper of that intent. */
export type Incentive = Readonly<{ intent: Intent; templateId: string; agentId: string }>;

export const fxProviders = ["static", "frankfurter", "openexchangerates"] as const;
export type FxProvider = (typeof fxProviders)[number];

/** What one unit of `base` is worth in each currency, as decimal strings. */
export type StaticRates = Readonly<{ base: string; rates: Readonly<Record<string, string>> }>;

export type Settings = Readonly<{
  tax: Readonly<{ ratePercent: string; isInclusive: boolean }>;
  /** A settled payment confirms its pending order. */
  autoConfirm: boolean;
  /** Browser origins; none means every origin, in test mode. */
  allowedOrigins: readonly string[];
  paymentMethods: readonly PaymentMethod[];
  orderNumberPrefix: string;
  lowStockThreshold: number;
  /** A cart below it is told what is missing; null: there is no such offer. */
  freeDeliveryThresholdMinor: number | null;
  /** At most one for each intent. */
  incentives: readonly Incentive[];
  /** Without rates of its own the static provider uses the embedded table. */
  fx: Readonly<{ provider: FxProvider; staticRates: StaticRates | null }>;
  rateLimits: RateLimits;
}>;

export const defaultSettings: Settings = {
  tax: { ratePercent: "0", isInclusive: false },
  autoConfirm: true,
  allowedOrigins: [],
  paymentMethods,
  orderNumberPrefix: "ORD-",
  lowStockThreshold: 5,
  freeDeliveryThresholdMinor: null,
  incentives: [],
  fx: { provider: "static", staticRates: null },
  rateLimits: {},
};

export type Business = Tenant &
  Readonly<{
    name: string;
    organizationId: string | null;
    /** The shop database that holds everything of this business. */
    shard: string;
    settings: Settings;
    /** The default location first. */
    locations: readonly Location[];
    createdAt: number;
    updatedAt: number;
  }>;

/** Whether the business sells there; null is nowhere in particular, where every one sells. */
export const isLocationOf = (
  { locations }: Pick<Business, "locations">,
  locationId: string | null,
): boolean => locationId === null || locations.some(({ id }) => id === locationId);

/** The first of its locations: every business has one from its beginning. */
export function defaultLocation(business: Business): Location {
  const location = business.locations[0];
  if (!location) throw new Error(`Business ${business.id} has no location.`);
  return location;
}
