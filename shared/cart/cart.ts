import type { BillingPlan } from "../catalogue/index.ts";
import type { ChosenDelivery } from "../delivery/index.ts";
import { canonicalJson, invalid, notFound, ruleViolation, utf8Bytes } from "../kernel/index.ts";
import type {
  DealTerms,
  Discount,
  LineConfiguration,
  LineDetails,
  PricePart,
  Selection,
} from "../pricing/index.ts";
import type { TaxTerms } from "../tax/index.ts";
import type { CartNotice } from "./cart-notice.ts";

export const maxCartLines = 200;
/**
 * In bytes of all lines as JSON. A checkout, the stored response of a cart write and the full
 * payload of a webhook contain all lines, and each is stored in one row of at most 2 MB.
 */
const maxCartBytes = 700_000;
/** Enough for 50 add-on options whose names have the maximum length in any script. */
const maxLineBytes = 200_000;
export const maxLineQuantity = 100;

/** How often a billing plan renews, as its subscriber reads it. */
export type PlanTerms = Pick<BillingPlan, "name" | "interval" | "intervalCount" | "trialDays">;

/** Name and price of a line at the time when the line was last priced. */
export type LineSnapshot = Readonly<{
  name: string;
  /** The chosen variant, or the default variant when none was chosen. */
  variantId: string | null;
  variantName: string | null;
  unitPriceMinor: number;
  /**
   * The former price above `unitPriceMinor`; null when there is none, and absent in a cart that was
   * last written before the field existed.
   */
  compareAtPriceMinor?: number | null;
  /**
   * What a unit costs in each later period of the billing plan; null for a one-time purchase, and
   * absent in a cart that was last written before the field existed.
   */
  renewalPriceMinor?: number | null;
  /** The terms of the billing plan; absent in a line that was last priced before the field existed. */
  billingPlan?: PlanTerms | null;
  /**
   * Whether units are handed over, by delivery or pickup; absent in a line that was last priced
   * before the field existed.
   */
  requiresShipping?: boolean;
  /** The product's tax class; absent in a line that was last priced before the field existed. */
  taxClass?: string;
  /** The parts add up to `unitPriceMinor`. */
  parts: readonly PricePart[];
  /** Left out of lines that were stored before details existed, until they are repriced. */
  details?: LineDetails;
  /**
   * The price lock of the quote that the line was added with. An expired lock is not removed,
   * because lines with different quotes stay separate.
   */
  lock: LockedPrice | null;
}>;

/**
 * A unit price that a quote locks until the quote expires, for a limited quantity of one variant.
 */
export type LockedPrice = Readonly<{
  quoteId: string;
  variantId: string | null;
  unitPriceMinor: number;
  parts: readonly PricePart[];
  quantity: number;
  /** The expiry of the quote when it was last read. The quote may have been refreshed since. */
  expiresAt: number;
  /** True when the quote can no longer be refreshed, so the cart need not read the quote again. */
  isGone?: boolean;
}>;

export type CartLine = Readonly<{
  id: string;
  configuration: LineConfiguration;
  quantity: number;
  snapshot: LineSnapshot;
  /**
   * Until when the line's slot is held, also in the past; null without a hold, and absent in a line
   * that was last written before the field existed.
   */
  holdExpiresAt?: number | null;
}>;

/** A line that is not yet in the cart: it has no id and holds no slot. */
export type NewLine = Omit<CartLine, "id" | "holdExpiresAt">;

/** The cart's coupon, with the terms that its deal had at the last cart write. */
export type CartCoupon = Readonly<{
  dealId: string;
  code: string;
  name: string;
  discount: DealTerms["discount"];
}>;

export type Cart = Readonly<{
  id: string;
  lines: readonly CartLine[];
  /** In the order in which they were added. */
  coupons: readonly CartCoupon[];
  /** The discounts as calculated at the last cart write. */
  discounts: readonly Discount[];
  /** Of the last cart write. */
  notices: readonly CartNotice[];
  /** The taxes as read at the last cart write; null before them. */
  tax: TaxTerms | null;
  /** At its price of the last cart write; null while none is chosen. */
  delivery: ChosenDelivery | null;
  /** The last address of a delivery, for the next choice without one. */
  deliveryAddress: ChosenDelivery["address"];
  updatedAt: number;
}>;

export const emptyCart = (id: string, updatedAt: number): Cart => ({
  id,
  lines: [],
  coupons: [],
  discounts: [],
  notices: [],
  tax: null,
  delivery: null,
  deliveryAddress: null,
  updatedAt,
});

/** The total quantity of all lines. */
export const itemCount = ({ lines }: Cart): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** The location that the cart's lines share; null when no line has a location. */
export const cartLocationId = ({ lines }: Pick<Cart, "lines">): string | null =>
  lines.find(({ configuration }) => configuration.locationId !== null)?.configuration.locationId ??
  null;

/**
 * Rejects a line of another location than the cart's lines, because an order belongs to one
 * location.
 * @throws Refusal LOCATION_MISMATCH.
 */
export function assertSameLocation(cart: Cart, { locationId }: LineConfiguration): void {
  const expected = cartLocationId(cart);
  if (expected !== null && locationId !== null && locationId !== expected) {
    throw ruleViolation(
      "LOCATION_MISMATCH",
      `All items of a cart belong to one location. This cart uses ${expected}.`,
      {
        location_id: expected,
      },
    );
  }
}

/**
 * Adds a quantity of a configuration. Equal configurations with the same quote share one line.
 *
 * @throws Refusal VALIDATION_ERROR above the maximum quantity, LINE_TOO_LARGE, CART_FULL above the
 * cart's limits.
 */
export function addLine(
  cart: Cart,
  item: NewLine,
  newId: () => string,
): { cart: Cart; line: CartLine } {
  const key = configurationKey(item.configuration);
  const existing = cart.lines.find(
    ({ configuration, snapshot }) =>
      configurationKey(configuration) === key &&
      snapshot.lock?.quoteId === item.snapshot.lock?.quoteId,
  );
  if (existing) {
    const quantity = existing.quantity + item.quantity;
    if (quantity > maxLineQuantity) {
      throw invalid(
        "quantity",
        `makes ${quantity} units of one line; at most ${maxLineQuantity} are allowed.`,
      );
    }
    const line = { ...existing, quantity, snapshot: item.snapshot };
    const merged = withLine(cart, line);
    assertCartFits(merged);
    return { cart: merged, line };
  }
  if (cart.lines.length >= maxCartLines) {
    throw ruleViolation("CART_FULL", `A cart holds at most ${maxCartLines} lines.`);
  }
  const line = { ...item, id: newId() };
  const extended = { ...cart, lines: [...cart.lines, line] };
  assertCartFits(extended);
  return { cart: extended, line };
}

/** @throws Refusal LINE_TOO_LARGE, CART_FULL for lines of more bytes than can be stored. */
export function assertCartFits({ lines }: Pick<Cart, "lines">): void {
  const largest = lines.find((line) => lineBytes(line) > maxLineBytes);
  if (largest) {
    throw ruleViolation(
      "LINE_TOO_LARGE",
      `The choices of ${largest.snapshot.name} take ${lineBytes(largest)} bytes with their names; a line holds at most ${maxLineBytes}. Choose fewer options.`,
      { field: largestChoice(largest), max_bytes: maxLineBytes },
    );
  }
  if (cartBytes({ lines }) > maxCartBytes) {
    throw ruleViolation(
      "CART_FULL",
      `The choices and notes of a cart take at most ${maxCartBytes} bytes with their names. Remove a line or choose fewer options.`,
      { max_bytes: maxCartBytes },
    );
  }
}

/** Whether the cart passes `assertCartFits`. */
export const cartFits = (cart: Pick<Cart, "lines">): boolean =>
  cartBytes(cart) <= maxCartBytes && cart.lines.every((line) => lineBytes(line) <= maxLineBytes);

/**
 * The lines that differ between two versions of a cart: all lines except the equal ones at the
 * start and at the end. A write changes few lines, so callers skip most of them.
 */
export function changedLines(
  before: Cart,
  after: Cart,
): Readonly<{ before: CartLines; after: CartLines }> {
  const [a, b] = [before.lines, after.lines];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { before: a.slice(start, a.length - end), after: b.slice(start, b.length - end) };
}

type CartLines = readonly CartLine[];

/** @throws Refusal NOT_FOUND for a line that is not in the cart. */
export function changeQuantity(cart: Cart, lineId: string, quantity: number): Cart {
  return withLine(cart, { ...requireLine(cart, lineId), quantity });
}

/** The cart with the time until which a line's slot is held. */
export const withHold = (cart: Cart, lineId: string, holdExpiresAt: number | null): Cart =>
  withLine(cart, { ...requireLine(cart, lineId), holdExpiresAt });

/** @throws Refusal NOT_FOUND for a line that is not in the cart. */
export function removeLine(cart: Cart, lineId: string): Cart {
  requireLine(cart, lineId);
  return { ...cart, lines: cart.lines.filter(({ id }) => id !== lineId) };
}

/** @throws Refusal NOT_FOUND. */
export function requireLine(cart: Cart, lineId: string): CartLine {
  const line = cart.lines.find(({ id }) => id === lineId);
  if (!line) throw notFound("cart item");
  return line;
}

const withLine = (cart: Cart, line: CartLine): Cart => ({
  ...cart,
  lines: cart.lines.map((stored) => (stored.id === line.id ? line : stored)),
});

// Configurations are immutable, so each key is computed once.
const configurationKeys = new WeakMap<LineConfiguration, string>();

/**
 * A text that is equal for equal configurations. The order of options and selections does not
 * matter.
 */
export function configurationKey(configuration: LineConfiguration): string {
  const cached = configurationKeys.get(configuration);
  if (cached !== undefined) return cached;
  const key = canonicalJson({
    ...configuration,
    addOnOptionIds: [...configuration.addOnOptionIds].sort(),
    bundleSelections: sortedJson(configuration.bundleSelections),
    compositeSelections: sortedJson(configuration.compositeSelections),
  });
  configurationKeys.set(configuration, key);
  return key;
}

const cartBytes = ({ lines }: Pick<Cart, "lines">): number =>
  lines.reduce((sum, line) => sum + lineBytes(line), 0);

/** The size of a line as JSON, without its id and quantity. */
const lineBytes = ({ configuration, snapshot }: NewLine): number =>
  jsonBytes(configuration) + jsonBytes(snapshot);

// Configurations and snapshots are immutable, so each size is computed once.
const sizes = new WeakMap<LineConfiguration | LineSnapshot, number>();

function jsonBytes(value: LineConfiguration | LineSnapshot): number {
  const cached = sizes.get(value);
  if (cached !== undefined) return cached;
  const bytes = utf8Bytes(JSON.stringify(value));
  sizes.set(value, bytes);
  return bytes;
}

/** The field of the request whose choices take the most of a line. */
function largestChoice({ configuration, snapshot }: NewLine): string {
  const addOns = JSON.stringify([configuration.addOnOptionIds, snapshot.details?.addOns ?? []]);
  const contents = JSON.stringify(snapshot.details?.contents ?? []);
  if (addOns.length >= contents.length) return "add_on_options";
  return configuration.compositeSelections.length > 0
    ? "composite_selections"
    : "bundle_selections";
}

const sortedJson = (selections: readonly Selection[]): string[] =>
  selections.map(canonicalJson).sort();
