import { type Companion, companionOf } from "../catalogue/index.ts";
import { notFound, ruleBroken } from "../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";
import { isExpired, isRefreshable, type Quote, quoteRepo, quotesIn } from "../quotes/index.ts";
import { type Cart, type CartLine, identityOf, type LockedPrice } from "./cart.ts";
import type { CartContext } from "./context.ts";

type Priced = Readonly<{ products: ProductSet; quote: Quote | null }>;

/**
 * The quote that an add names, none without a name, and what `findProducts` finds with the companions
 * that it is given: the quote comes along where the products must be read.
 *
 * @throws Refusal NOT_FOUND for an unknown quote, QUOTE_EXPIRED (completions.md 5).
 */
export async function findQuoted(
  ctx: CartContext,
  quoteId: string | null,
  findProducts: (companions: readonly Companion[]) => Promise<ProductSet>,
): Promise<Priced> {
  if (quoteId === null) return { products: await findProducts([]), quote: null };
  const { found: products, quotes } = await findWithQuotes(ctx, [quoteId], findProducts);
  const quote = quotes.get(quoteId);
  if (!quote) throw notFound("quote");
  if (isExpired(quote, ctx.now())) {
    throw ruleBroken("QUOTE_EXPIRED", "The quote has expired; refresh it and try again.");
  }
  return { products, quote };
}

/**
 * The cart with the locks of now, and what `find` finds with the companions that it is given: a quote
 * may have been refreshed since a line took its price, and still holds it then. The quotes of locks
 * that have expired come along where `find` has to read anyway, and cost a round trip where not.
 */
export async function findRelocked<T>(
  ctx: CartContext,
  cart: Cart,
  find: (companions: readonly Companion[]) => Promise<T>,
): Promise<{ cart: Cart; found: T }> {
  const expired = cart.lines.flatMap(({ snapshot: { lock } }) =>
    lock && !lock.isGone && isExpired(lock, ctx.now()) ? [lock.quoteId] : [],
  );
  if (expired.length === 0) return { cart, found: await find([]) };
  const { found, quotes } = await findWithQuotes(ctx, [...new Set(expired)], find);
  return { cart: relocked(cart, { quotes, expired: new Set(expired), now: ctx.now() }), found };
}

async function findWithQuotes<T>(
  ctx: CartContext,
  ids: readonly string[],
  find: (companions: readonly Companion[]) => Promise<T>,
): Promise<{ found: T; quotes: ReadonlyMap<string, Quote> }> {
  const query = quoteRepo(ctx).byIds(ids);
  let read: ReadonlyMap<string, Quote> | null = null;
  const alongside = companionOf(query, (rows) => {
    read = quotesIn(rows);
  });
  const found = await find([alongside]);
  return { found, quotes: read ?? quotesIn(await query) };
}

type Reread = Readonly<{
  quotes: ReadonlyMap<string, Quote>;
  expired: ReadonlySet<string>;
  now: number;
}>;

function relocked(cart: Cart, { quotes, expired, now }: Reread): Cart {
  const relockedLine = (line: CartLine): CartLine => {
    const { lock } = line.snapshot;
    if (!lock || !expired.has(lock.quoteId)) return line;
    const quote = quotes.get(lock.quoteId);
    if (!quote || !isRefreshable(quote, now)) {
      return { ...line, snapshot: { ...line.snapshot, lock: { ...lock, isGone: true } } };
    }
    const holds =
      !isExpired(quote, now) &&
      isChoiceOf(quote, line.configuration) &&
      piecesOf(cart, quote.id) <= quote.quantity;
    return holds ? { ...line, snapshot: { ...line.snapshot, lock: lockedBy(quote) } } : line;
  };
  return { ...cart, lines: cart.lines.map(relockedLine) };
}

/** The price that a quote promises for as long as its lock holds. */
export const lockedBy = ({ id, unitPriceMinor, parts, ...quote }: Quote): LockedPrice => ({
  quoteId: id,
  unitPriceMinor,
  parts,
  variantId: quote.variantId,
  quantity: quote.quantity,
  expiresAt: quote.expiresAt,
});

/** The locked price while it holds: not past its expiry, nor once the product has other variants. */
export const heldLock = (
  lock: LockedPrice | null,
  { variantId, now }: { variantId: string | null; now: number },
): LockedPrice | null =>
  lock && !isExpired(lock, now) && lock.variantId === variantId ? lock : null;

const piecesOf = ({ lines }: Cart, quoteId: string): number =>
  lines
    .filter(({ snapshot }) => snapshot.lock?.quoteId === quoteId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** Refuses (QUOTE_MISMATCH) more pieces than the line's quote is for, on all lines that name it. */
export function demandQuoted(cart: Cart, { snapshot }: CartLine, now: number): void {
  const { lock } = snapshot;
  if (!lock || isExpired(lock, now)) return;
  if (piecesOf(cart, lock.quoteId) > lock.quantity) {
    throw ruleBroken("QUOTE_MISMATCH", "The quote is for fewer pieces.", {
      quantity_quoted: lock.quantity,
    });
  }
}

/** Refuses (QUOTE_MISMATCH) what the quote does not price. */
export function demandSameChoice(quote: Quote, asked: LineConfiguration): void {
  if (!isChoiceOf(quote, asked)) {
    throw ruleBroken("QUOTE_MISMATCH", "The quote prices something else.");
  }
}

/**
 * Whether the quote prices this: not another choice or location, nor a billing plan, which has a
 * price of its own. Of the note to the merchant it says nothing, and one without a location holds
 * wherever the line is bought.
 */
function isChoiceOf(quote: Quote, asked: LineConfiguration): boolean {
  const { productId, variantId, addOnOptionIds, bundleSelections, compositeSelections } = quote;
  const choice = {
    productId,
    variantId,
    addOnOptionIds,
    bundleSelections,
    compositeSelections,
    locationId: quote.locationId ?? asked.locationId,
    billingPlanId: null,
  };
  return identityOf({ ...asked, ...choice }) === identityOf(asked);
}
