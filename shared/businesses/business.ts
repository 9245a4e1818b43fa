import type { Tenant } from "../kernel/index.ts";

export const paymentMethods = ["cash", "mobile_money", "card"] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

/** Local times `HH:MM`. */
export type OpeningHours = Readonly<Partial<Record<Weekday, readonly Readonly<{ open: string; close: string }>[]>>>;

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

/** Requests admitted; absent ones take the contract's figures (interface.md, Limits). */
export type RateLimits = Readonly<{
  publicPerSecondPerAddress?: number | undefined;
  publicPerMinute?: number | undefined;
  secretPerSecond?: number | undefined;
}>;

export type Settings = Readonly<{
  tax: Readonly<{ ratePercent: string; isInclusive: boolean }>;
  /** A settled payment confirms its pending order. */
  autoConfirm: boolean;
  /** Browser origins; none means every origin, in test mode. */
  allowedOrigins: readonly string[];
  paymentMethods: readonly PaymentMethod[];
  orderNumberPrefix: string;
  lowStockThreshold: number;
  rateLimits: RateLimits;
}>;

export const defaultSettings: Settings = {
  tax: { ratePercent: "0", isInclusive: false },
  autoConfirm: true,
  allowedOrigins: [],
  paymentMethods: ["cash", "mobile_money"],
  orderNumberPrefix: "ORD-",
  lowStockThreshold: 5,
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

export function defaultLocation(business: Business): Location {
  const location = business.locations[0];
  if (!location) throw new Error(`Business ${business.id} has no location.`);
  return location;
}
