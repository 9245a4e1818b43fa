import { day, notFound, Refusal, type Tenant, type Weekday } from "../kernel/index.ts";
import type { ProviderAccount } from "./provider-accounts/account.ts";
import {
  type PaymentMethod,
  type PaymentOwner,
  type ProviderName,
  paymentMethods,
  type routedMethods,
} from "./provider-accounts/payment-methods.ts";

/** Local times in the form `HH:MM`. */
export type OpeningHours = Readonly<
  Partial<Record<Weekday, readonly Readonly<{ open: string; close: string }>[]>>
>;

/** Whole local days, from and to included. */
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
  /** Whether shoppers can collect their orders here. */
  offersPickup: boolean;
  pickupInstructions: string | null;
}>;

/**
 * The number of requests allowed for each limit. A limit without a value uses the default
 * (docs/contract/conventions.md#rate-limit-figures).
 */
export type RateLimits = Readonly<{
  publicPerSecondPerAddress?: number | null | undefined;
  publicPerMinute?: number | null | undefined;
  publicPerMinutePerAddress?: number | null | undefined;
  secretPerSecond?: number | null | undefined;
}>;

/**
 * How many holds, unpaid bookings and unpaid orders may be open at once. A limit without a value uses
 * the default (docs/contract/conventions.md#unpaid-limits).
 */
export type UnpaidLimits = Readonly<{
  holdsPerSession?: number | null | undefined;
  bookingsPerContact?: number | null | undefined;
  perAddress?: number | null | undefined;
}>;

/** How ready a shopper is to buy (docs/contract/storefront.md#activity-intent). */
export const intents = ["baseline", "considering", "ready_to_buy"] as const;
export type Intent = (typeof intents)[number];

/** What a storefront should offer to a shopper with the given intent. */
export type Incentive = Readonly<{ intent: Intent; templateId: string; agentId: string }>;

export const fxProviders = ["static", "frankfurter", "openexchangerates"] as const;
export type FxProvider = (typeof fxProviders)[number];

/** The value of one unit of `base` in each currency, as decimal strings. */
export type StaticRates = Readonly<{ base: string; rates: Readonly<Record<string, string>> }>;

export const bookingRefundModes = ["automatic", "manual"] as const;
type BookingRefunds = (typeof bookingRefundModes)[number];

/** The statuses up to which a business may let customers cancel their orders. */
export const cancellationLimits = ["pending", "confirmed", "preparing"] as const;
type CancellationLimit = (typeof cancellationLimits)[number];

/** How the hosted pages of a shop look. Without a colour they use their own. */
export type Appearance = Readonly<{ logoUrl: string | null; accentColor: string | null }>;

export type Settings = Readonly<{
  tax: Readonly<{ ratePercent: string; isInclusive: boolean }>;
  /** Whether a pending order is confirmed automatically when it is paid. */
  autoConfirm: boolean;
  /** Who refunds a paid booking that is cancelled in time: the service, or the business itself. */
  bookingRefunds: BookingRefunds;
  /** The last status in which a customer may cancel an order; null for any that is not final. */
  customerCancellation: CancellationLimit | null;
  /** Allowed browser origins; an empty list allows every origin in test mode. */
  allowedOrigins: readonly string[];
  paymentMethods: readonly PaymentMethod[];
  /** The providers of each method, in order of preference. */
  paymentRouting: Readonly<Record<(typeof routedMethods)[number], readonly ProviderName[]>>;
  orderNumberPrefix: string;
  lowStockThreshold: number;
  /** How many coupons a cart may have. */
  maxCoupons: number;
  /**
   * A cart below this total shows how much is missing for free delivery. Null when the business
   * offers no free delivery.
   */
  freeDeliveryThresholdMinor: number | null;
  /** What to offer for each intent; an intent has at most one entry. */
  incentives: readonly Incentive[];
  /** Without its own rates the static provider uses the built-in table in test mode, and none in live mode. */
  fx: Readonly<{ provider: FxProvider; staticRates: StaticRates | null }>;
  rateLimits: RateLimits;
  unpaidLimits: UnpaidLimits;
  appearance: Appearance;
}>;

export const defaultSettings: Settings = {
  tax: { ratePercent: "0", isInclusive: false },
  autoConfirm: true,
  bookingRefunds: "automatic",
  customerCancellation: null,
  allowedOrigins: [],
  paymentMethods,
  paymentRouting: { card: ["stripe", "paystack"], mobile_money: ["paystack"] },
  orderNumberPrefix: "ORD-",
  lowStockThreshold: 5,
  maxCoupons: 1,
  freeDeliveryThresholdMinor: null,
  incentives: [],
  fx: { provider: "static", staticRates: null },
  rateLimits: {},
  unpaidLimits: {},
  appearance: { logoUrl: null, accentColor: null },
};

/** The limits of a business, with the default for each that it has not set. */
export const unpaidLimitsOf = ({
  settings: { unpaidLimits },
}: Readonly<{ settings: Pick<Settings, "unpaidLimits"> }>) => ({
  holdsPerSession: unpaidLimits.holdsPerSession ?? 5,
  bookingsPerContact: unpaidLimits.bookingsPerContact ?? 3,
  perAddress: unpaidLimits.perAddress ?? 20,
});

export type Business = Tenant &
  Readonly<{
    name: string;
    /** Names the business in the addresses of its hosted shop; unique. */
    slug: string;
    organizationId: string | null;
    /** The name of the shard that stores the business's data. */
    shard: string;
    status: BusinessStatus;
    payments: PaymentOwner;
    settings: Settings;
    /** Its accounts at payment providers, with sealed credentials. */
    providerAccounts: readonly ProviderAccount[];
    /** All active locations; the default location comes first. */
    locations: readonly Location[];
    createdAt: number;
    updatedAt: number;
  }>;

/**
 * Whether the id is a location of the business. Null is accepted, because it means no particular
 * location.
 */
export const isLocationOf = (
  { locations }: Pick<Business, "locations">,
  locationId: string | null,
): boolean => locationId === null || locations.some(({ id }) => id === locationId);

/**
 * The business's default location, which is the first one. Every business has at least one
 * location.
 */
export function defaultLocation(business: Business): Location {
  const location = business.locations[0];
  if (!location) throw new Error(`Business ${business.id} has no location.`);
  return location;
}

export const businessStatuses = ["active", "suspended", "closed"] as const;

/**
 * Whether the business sells (docs/contract/operator.md#business-status). Suspended: shoppers are
 * refused and nothing is charged. Closed: also read-only to the merchant, and erased later.
 */
export type BusinessStatus =
  | Readonly<{ type: "active" }>
  | Readonly<{ type: "suspended"; suspendedAt: number }>
  | Readonly<{ type: "closed"; closedAt: number }>;

type WithStatus = Readonly<{ status: BusinessStatus }>;

/** A closed business is erased after this time. */
const erasureDelayMs = 30 * day;

/** When a closed business is erased, in epoch milliseconds; null for any other. */
export const erasureTimeOf = ({ status }: WithStatus): number | null =>
  status.type === "closed" ? status.closedAt + erasureDelayMs : null;

/** What of a closed business is erased next: its files, its conversations, then its rows. */
export type ErasePosition = Readonly<
  | { phase: "files" }
  | { phase: "conversations"; after: string }
  | { phase: "rows"; table: number; after: number }
>;

/** Whether shoppers may buy and customers may be charged. */
export const isSelling = ({ status }: WithStatus): boolean => status.type === "active";

/** The refusal that a shopper's call gets; null while the business sells. */
export function shopperRefusal({ status }: WithStatus): Refusal | null {
  switch (status.type) {
    case "active":
      return null;
    case "suspended":
      return statusRefusal(status, "This shop is suspended and takes no orders at the moment.");
    case "closed":
      return notFound("business");
  }
}

/** @throws Refusal FORBIDDEN for a write to a closed business. */
export function assertWritable({ status }: WithStatus): void {
  if (status.type !== "closed") return;
  throw statusRefusal(status, "This business is closed, so its data can only be read.");
}

const statusRefusal = ({ type }: BusinessStatus, message: string) =>
  new Refusal({ code: "FORBIDDEN", message, context: { business_status: type } });
