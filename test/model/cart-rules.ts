/** What a cart write does, from the contract alone (interface.md, Cart; completions.md 5). */
import {
  type Cart,
  couponReasons,
  discounted,
  emptyCart,
  identityOf,
  isHeld,
  type Line,
  type Moment,
  needsOfLines,
  type Quote,
  repriced,
} from "./cart-model.ts";
import {
  type Configuration,
  type Fault,
  faultsOf,
  needsOf,
  productOf,
  type Shop,
  unitPriceOf,
  variantOf,
} from "./shop-model.ts";

export type Refusal = Readonly<{ status: number; rule?: string; available?: number }>;

/** What may be answered: any of the refusals that apply (their order is nobody's promise), or the cart. */
export type Outcome =
  | Readonly<{ type: "refused"; refusals: readonly Refusal[] }>
  | Readonly<{ type: "written"; cart: Cart }>;

export type Added = Readonly<{
  configuration: Configuration;
  quantity: number;
  /** The quote that it names; undefined for one that nobody made. */
  quote: Quote | null | undefined;
}>;

const maxLines = 200;
const maxPieces = 100;

export const refused = (...refusals: Refusal[]): Outcome => ({ type: "refused", refusals });
const written = (cart: Cart): Outcome => ({ type: "written", cart });
export const broken = (rule: string): Refusal => ({ status: 422, rule });

export function afterAdd(moment: Moment, cart: Cart, added: Added): Outcome {
  const { shop, now } = moment;
  const { configuration, quantity, quote } = added;
  const faults = [
    ...quantityRefusals(quantity),
    ...faultsOf(shop, configuration).map(refusalOf),
    ...(quote ? quoteRefusals(shop, added, quote, now) : []),
    ...(quote === undefined ? [{ status: 404 }] : []),
  ];
  const isBuyable = faultsOf(shop, configuration).length === 0;
  if (!isBuyable || quote === undefined) return refused(...faults);
  const unitPrice = isHeld(quote, now) ? quote.unitPrice : unitPriceOf(shop, configuration);
  const current = repriced(moment, cart);
  const { lines, line } = merged(current.lines, {
    id: null,
    configuration,
    quote,
    quantity,
    unitPrice,
  });
  const refusals = [
    ...faults,
    ...(line.quantity > maxPieces ? [{ status: 400 }] : []),
    ...(lines.length > maxLines ? [broken("CART_FULL")] : []),
    ...piecesRefusals(lines, line, now),
    ...stockRefusals(shop, lines, line),
  ];
  if (refusals.length > 0) return refused(...refusals);
  return written(discounted(shop, { ...current, lines }));
}

export function afterPatch(
  moment: Moment,
  cart: Cart,
  { index, quantity }: { index: number; quantity: number },
): Outcome {
  const { shop, now } = moment;
  const current = repriced(moment, cart);
  const before = current.lines[index];
  if (!before) return refused(...quantityRefusals(quantity), { status: 404 });
  const line = { ...before, quantity };
  const lines = current.lines.with(index, line);
  const refusals = [
    ...quantityRefusals(quantity),
    ...piecesRefusals(lines, line, now),
    ...(quantity < before.quantity ? [] : stockRefusals(shop, lines, line)),
  ];
  if (refusals.length > 0) return refused(...refusals);
  return written(discounted(shop, { ...current, lines }));
}

export function afterRemove(moment: Moment, cart: Cart, index: number): Outcome {
  if (!cart.lines[index]) return refused({ status: 404 });
  const lines = cart.lines.filter((_, position) => position !== index);
  return written(discounted(moment.shop, repriced(moment, { ...cart, lines })));
}

export const afterClear = (): Outcome => written(emptyCart);

export function afterCoupon(moment: Moment, cart: Cart, code: string): Outcome {
  const { shop } = moment;
  const current = repriced(moment, cart);
  const reasons = couponReasons(shop, current.lines, code);
  if (reasons.length > 0) return refused(...reasons.map(broken));
  return written(discounted(shop, { ...current, coupon: code }));
}

/** Where there is no coupon nothing is written, and so no price is taken anew. */
export function afterCouponRemoved(moment: Moment, cart: Cart): Outcome {
  if (cart.coupon === null) return written(cart);
  return written(discounted(moment.shop, { ...repriced(moment, cart), coupon: null }));
}

/** Whether a choice is the one that the quote prices; of the note it says nothing. */
function isQuoted(shop: Shop, asked: Configuration, quote: Quote): boolean {
  const standing = (one: Configuration) => ({
    ...one,
    variantId: variantOf(productOf(shop, one.productId), one.variantId)?.id ?? null,
    note: null,
  });
  const identity = (one: Configuration) =>
    identityOf({ configuration: standing(one), quote: null });
  return identity(asked) === identity(quote.configuration);
}

function quoteRefusals(shop: Shop, added: Added, quote: Quote, now: number): Refusal[] {
  return [
    ...(isHeld(quote, now) ? [] : [broken("QUOTE_EXPIRED")]),
    ...(isQuoted(shop, added.configuration, quote) ? [] : [broken("QUOTE_MISMATCH")]),
  ];
}

/** A quote is for at most so many pieces, on all lines that name it. */
function piecesRefusals(lines: readonly Line[], { quote }: Line, now: number): Refusal[] {
  if (!isHeld(quote, now)) return [];
  const pieces = lines
    .filter((line) => line.quote?.id === quote.id)
    .reduce((total, { quantity }) => total + quantity, 0);
  return pieces > quote.quantity ? [broken("QUOTE_MISMATCH")] : [];
}

/** A line may have as many pieces as what the others leave is enough for. */
function stockRefusals(shop: Shop, lines: readonly Line[], line: Line): Refusal[] {
  const others = needsOfLines(
    shop,
    lines.filter((other) => other !== line),
  );
  const enoughFor = [...needsOf(shop, { ...line, quantity: 1 })].map(([item, pieces]) =>
    Math.floor((availableOf(shop, item) - (others.get(item) ?? 0)) / pieces),
  );
  const available = Math.max(0, Math.min(...enoughFor));
  return line.quantity > available ? [{ ...broken("OUT_OF_STOCK"), available }] : [];
}

export function availableOf({ stock }: Shop, item: string): number {
  const { onHand, reserved } = stock[item] ?? { onHand: 0, reserved: 0 };
  return onHand - reserved;
}

const quantityRefusals = (quantity: number): Refusal[] =>
  quantity >= 1 && quantity <= maxPieces ? [] : [{ status: 400 }];

const refusalOf = (fault: Fault): Refusal =>
  fault === "NOT_FOUND" ? { status: 404 } : broken(fault);

/** Pieces of what is there already raise that line; anything else is a line of its own, at the end. */
function merged(lines: readonly Line[], added: Line): { lines: readonly Line[]; line: Line } {
  const index = lines.findIndex((line) => identityOf(line) === identityOf(added));
  const before = lines[index];
  if (!before) return { lines: [...lines, added], line: added };
  const { id, configuration } = before;
  const line = { ...added, id, configuration, quantity: before.quantity + added.quantity };
  return { lines: lines.with(index, line), line };
}
