import { canonicalJson, invalid, notFound, ruleBroken } from "../kernel/index.ts";
import type {
  DealTerms,
  Discount,
  LineConfiguration,
  PricePart,
  Selection,
} from "../pricing/index.ts";

const maxLines = 200;
/** Characters of all configurations together: a cart, its checkout and its answer are rows of at most 2 MB. */
const maxChoices = 500_000;
const maxQuantity = 100;

/** What a line cost, and was called, when its price was last taken (completions.md 5). */
export type LineSnapshot = Readonly<{
  name: string;
  /** The variant that stands for the line, chosen or by default. */
  variantId: string | null;
  variantName: string | null;
  unitPriceMinor: number;
  /** Why it costs that; they sum to `unitPriceMinor`. */
  parts: readonly PricePart[];
  /** The quote that the line was added with; kept when it expires, since it tells lines apart. */
  lock: LockedPrice | null;
}>;

/** A unit price that a quote fixes until it expires, for so many pieces of that variant. */
export type LockedPrice = Readonly<{
  quoteId: string;
  variantId: string | null;
  unitPriceMinor: number;
  parts: readonly PricePart[];
  quantity: number;
  /** Of the quote as it was last read: it may have been refreshed since. */
  expiresAt: number;
  /** It cannot be refreshed any more: there is nothing to be read. */
  isGone?: boolean;
}>;

export type CartLine = Readonly<{
  id: string;
  configuration: LineConfiguration;
  quantity: number;
  snapshot: LineSnapshot;
}>;

/** The coupon in a cart, as its deal was when the cart was last written. */
export type CartCoupon = Readonly<{
  dealId: string;
  code: string;
  name: string;
  discount: DealTerms["discount"];
}>;

export type Cart = Readonly<{
  id: string;
  lines: readonly CartLine[];
  coupon: CartCoupon | null;
  /** What deals took off when the cart was last written. */
  discounts: readonly Discount[];
  updatedAt: number;
}>;

export const emptyCart = (id: string, updatedAt: number): Cart => ({
  id,
  lines: [],
  coupon: null,
  discounts: [],
  updatedAt,
});

/** Pieces, not lines. */
export const itemCount = ({ lines }: Cart): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** The location that the cart's lines name, all of them the same; null when none names any. */
export const locationOf = ({ lines }: Pick<Cart, "lines">): string | null =>
  lines.find(({ configuration }) => configuration.locationId !== null)?.configuration.locationId ??
  null;

/** Refuses (LOCATION_MISMATCH) a line of another location: an order is of one. */
export function demandOneLocation(cart: Cart, { locationId }: LineConfiguration): void {
  const taken = locationOf(cart);
  if (taken !== null && locationId !== null && locationId !== taken) {
    throw ruleBroken("LOCATION_MISMATCH", `The cart is for the location ${taken}.`, {
      location_id: taken,
    });
  }
}

/**
 * Adds pieces of a configuration: equal configurations are one line (completions.md 5).
 *
 * @param newId names the line, should there be none yet.
 * @throws Refusal VALIDATION_ERROR beyond 100 pieces of a line, CART_FULL beyond 200 lines.
 */
export function addToCart(
  cart: Cart,
  added: Readonly<{ configuration: LineConfiguration; quantity: number; snapshot: LineSnapshot }>,
  newId: () => string,
): { cart: Cart; line: CartLine } {
  const identity = identityOf(added.configuration);
  const existing = cart.lines.find(
    ({ configuration, snapshot }) =>
      identityOf(configuration) === identity &&
      snapshot.lock?.quoteId === added.snapshot.lock?.quoteId,
  );
  if (existing) {
    const quantity = existing.quantity + added.quantity;
    if (quantity > maxQuantity) {
      throw invalid(
        "quantity",
        `makes ${quantity} pieces of one line; at most ${maxQuantity} are allowed.`,
      );
    }
    const line = { ...existing, quantity, snapshot: added.snapshot };
    return { cart: withLine(cart, line), line };
  }
  if (cart.lines.length >= maxLines) {
    throw ruleBroken("CART_FULL", `A cart holds at most ${maxLines} lines.`);
  }
  const choices = cart.lines.reduce((sum, line) => sum + identityOf(line.configuration).length, 0);
  if (choices + identity.length > maxChoices) {
    throw ruleBroken(
      "CART_FULL",
      "The choices and notes of this cart are too long for more lines.",
    );
  }
  const line = { ...added, id: newId() };
  return { cart: { ...cart, lines: [...cart.lines, line] }, line };
}

/**
 * The lines in which two states of a cart may differ: all but those at the beginning and at the end
 * that are the same. One write touches little of a long cart, wherever that stands.
 */
export function differing(before: Cart, after: Cart): Readonly<{ before: Lines; after: Lines }> {
  const [a, b] = [before.lines, after.lines];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { before: a.slice(start, a.length - end), after: b.slice(start, b.length - end) };
}

type Lines = readonly CartLine[];

/** @throws Refusal NOT_FOUND for a line that is not in the cart. */
export function changeQuantity(cart: Cart, lineId: string, quantity: number): Cart {
  return withLine(cart, { ...lineOf(cart, lineId), quantity });
}

/** @throws Refusal NOT_FOUND for a line that is not in the cart. */
export function removeLine(cart: Cart, lineId: string): Cart {
  lineOf(cart, lineId);
  return { ...cart, lines: cart.lines.filter(({ id }) => id !== lineId) };
}

/** @throws Refusal NOT_FOUND. */
export function lineOf(cart: Cart, lineId: string): CartLine {
  const line = cart.lines.find(({ id }) => id === lineId);
  if (!line) throw notFound("cart item");
  return line;
}

const withLine = (cart: Cart, line: CartLine): Cart => ({
  ...cart,
  lines: cart.lines.map((other) => (other.id === line.id ? line : other)),
});

// A configuration never changes, so its identity is made once.
const identities = new WeakMap<LineConfiguration, string>();

/** Equal for configurations that are the same choice, in whatever order it was made. */
export function identityOf(configuration: LineConfiguration): string {
  const known = identities.get(configuration);
  if (known !== undefined) return known;
  const identity = canonicalJson({
    ...configuration,
    addOnOptionIds: [...configuration.addOnOptionIds].sort(),
    bundleSelections: inOrder(configuration.bundleSelections),
    compositeSelections: inOrder(configuration.compositeSelections),
  });
  identities.set(configuration, identity);
  return identity;
}

const inOrder = (selections: readonly Selection[]): string[] =>
  selections.map(canonicalJson).sort();
