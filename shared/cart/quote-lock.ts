import { batchedRead, createPrefetch, type Prefetch, requiredPrefetch } from "../database/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";
import {
  isExpired,
  isRefreshable,
  type Quote,
  quoteRepo,
  quotesUnchanged,
  toQuotesById,
} from "../quotes/index.ts";
import { type Cart, type CartLine, cartFits, configurationKey, type LockedPrice } from "./cart.ts";
import type { CartContext } from "./context.ts";

type QuotedProducts = Readonly<{ products: ProductSet; quote: Quote | null }>;

/**
 * Loads products and, when an item names a quote, also the quote. When the products are not cached,
 * the same batch reads the quote.
 *
 * @throws Refusal NOT_FOUND for an unknown quote, QUOTE_EXPIRED.
 */
export async function findProductsWithQuote(
  ctx: CartContext,
  quoteId: string | null,
  findProducts: (prefetches: readonly Prefetch[]) => Promise<ProductSet>,
): Promise<QuotedProducts> {
  if (quoteId === null) return { products: await findProducts([]), quote: null };
  const quotes = prefetchQuotes(ctx, [quoteId]);
  const products = await findProducts([quotes]);
  const quote = (await quotes.load()).get(quoteId);
  if (!quote) throw notFound("quote");
  if (isExpired(quote, ctx.now())) {
    throw ruleViolation("QUOTE_EXPIRED", "The quote has expired. Refresh it and try again.");
  }
  return { products, quote };
}

/**
 * Reloads the quotes of a cart and updates the locks. When a lock has expired, its quote may have
 * been refreshed since, and is read in any case: in the batch of `load`, or in a round trip of its
 * own. Otherwise the quotes are only read in a batch that `load` runs anyway.
 */
export async function refreshQuoteLocks<T>(
  ctx: CartContext,
  cart: Cart,
  load: (prefetches: readonly Prefetch[]) => Promise<T>,
): Promise<{ cart: Cart; loaded: T }> {
  const locks = cart.lines.flatMap(({ snapshot: { lock } }) =>
    lock && !lock.isGone ? [lock] : [],
  );
  if (locks.length === 0) return { cart, loaded: await load([]) };
  const ids = new Set(locks.map(({ quoteId }) => quoteId));
  const prefetch = prefetchQuotes(ctx, ids);
  const isNeeded = locks.some((lock) => isExpired(lock, ctx.now()));
  const loaded = await load([isNeeded ? requiredPrefetch(prefetch) : prefetch]);
  const quotes = isNeeded ? await prefetch.load() : prefetch.received();
  if (quotes === undefined) return { cart, loaded };
  return { cart: withReloadedLocks(cart, { quotes, ids, now: ctx.now() }), loaded };
}

function prefetchQuotes(
  ctx: CartContext,
  ids: Iterable<string>,
): Prefetch<ReadonlyMap<string, Quote>> {
  return createPrefetch(ctx.db, () =>
    batchedRead([quoteRepo(ctx).queryByIds([...ids])], ([rows]) => toQuotesById(rows)),
  );
}

/** The quotes with these ids, as far as they still exist. */
type ReloadedQuotes = Readonly<{
  quotes: ReadonlyMap<string, Quote>;
  ids: ReadonlySet<string>;
  now: number;
}>;

/** The same cart when no line holds one of these quotes. */
export function withReloadedLocks(cart: Cart, { quotes, ids, now }: ReloadedQuotes): Cart {
  const holds = ({ snapshot: { lock } }: CartLine) => lock !== null && ids.has(lock.quoteId);
  if (!cart.lines.some(holds)) return cart;
  const reloaded = (lock: LockedPrice, line: CartLine): LockedPrice => {
    const quote = quotes.get(lock.quoteId);
    if (!quote || !isRefreshable(quote, now)) return { ...endedLock(lock, now), isGone: true };
    const coversLine =
      !isExpired(quote, now) &&
      quotePricesConfiguration(quote, line.configuration) &&
      quotedQuantity(cart, quote.id) <= quote.quantity;
    return coversLine ? toLockedPrice(quote) : endedLock(lock, now);
  };
  const withReloadedLock = (line: CartLine): CartLine => {
    const { lock } = line.snapshot;
    if (lock === null || !holds(line)) return line;
    return { ...line, snapshot: { ...line.snapshot, lock: reloaded(lock, line) } };
  };
  const current = { ...cart, lines: cart.lines.map(withReloadedLock) };
  return cartFits(current) ? current : withEndedLocks(cart, { holds, now });
}

/** Longer names can make the parts of a refreshed price too large for the cart. */
function withEndedLocks(
  cart: Cart,
  { holds, now }: Readonly<{ holds: (line: CartLine) => boolean; now: number }>,
): Cart {
  const lines = cart.lines.map((line) => {
    const { lock } = line.snapshot;
    if (lock === null || !holds(line)) return line;
    return { ...line, snapshot: { ...line.snapshot, lock: endedLock(lock, now) } };
  });
  return { ...cart, lines };
}

/** A lock that no longer holds, because its quote does not lock the line's price any more. */
const endedLock = (lock: LockedPrice, now: number): LockedPrice => ({
  ...lock,
  expiresAt: Math.min(lock.expiresAt, now),
});

/** The condition that no quote which prices a line at this time was refreshed since it was read. */
export function quoteLocksUnchanged(
  business: { id: string },
  lines: readonly CartLine[],
  now: number,
) {
  const locks = lines.flatMap(
    ({ snapshot: { lock, variantId } }) => validLock(lock, { variantId, now }) ?? [],
  );
  return quotesUnchanged(
    business,
    locks.map(({ quoteId, expiresAt }) => ({ quoteId, expiresAt })),
  );
}

/** The price lock that a quote gives to a line. */
export const toLockedPrice = ({ id, unitPriceMinor, parts, ...quote }: Quote): LockedPrice => ({
  quoteId: id,
  unitPriceMinor,
  parts,
  variantId: quote.variantId,
  quantity: quote.quantity,
  expiresAt: quote.expiresAt,
});

/** The lock when it is valid. Null when the lock has expired or was made for another variant. */
export const validLock = (
  lock: LockedPrice | null,
  { variantId, now }: { variantId: string | null; now: number },
): LockedPrice | null =>
  lock && !isExpired(lock, now) && lock.variantId === variantId ? lock : null;

const quotedQuantity = ({ lines }: Cart, quoteId: string): number =>
  lines
    .filter(({ snapshot }) => snapshot.lock?.quoteId === quoteId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Checks that the quote covers the total quantity of all lines that use it.
 *
 * @throws Refusal QUOTE_MISMATCH when the quote covers fewer units.
 */
export function assertQuoteCovers(cart: Cart, { snapshot }: CartLine, now: number): void {
  const { lock } = snapshot;
  if (!lock || isExpired(lock, now)) return;
  if (quotedQuantity(cart, lock.quoteId) > lock.quantity) {
    throw ruleViolation(
      "QUOTE_MISMATCH",
      "The quote covers a smaller quantity. Refresh it with the quantity you need.",
      {
        quantity_quoted: lock.quantity,
      },
    );
  }
}

/**
 * Checks that the quote was made for this configuration.
 * @throws Refusal QUOTE_MISMATCH when the quote is for another configuration.
 */
export function assertQuoteMatches(quote: Quote, configuration: LineConfiguration): void {
  if (!quotePricesConfiguration(quote, configuration)) {
    throw ruleViolation(
      "QUOTE_MISMATCH",
      "The quote is for another configuration. Request a quote for this one.",
    );
  }
}

/**
 * Whether the quote prices this configuration. Special instructions are not compared. A quote
 * without a location applies at every location, and no quote covers a billing plan.
 */
function quotePricesConfiguration(quote: Quote, configuration: LineConfiguration): boolean {
  const { productId, variantId, addOnOptionIds, bundleSelections, compositeSelections } = quote;
  const quoted = {
    productId,
    variantId,
    addOnOptionIds,
    bundleSelections,
    compositeSelections,
    locationId: quote.locationId ?? configuration.locationId,
    billingPlanId: null,
  };
  return configurationKey({ ...configuration, ...quoted }) === configurationKey(configuration);
}
