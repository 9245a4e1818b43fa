import { batchedRead, createPrefetch, type Prefetch } from "../database/index.ts";
import { notFound, ruleViolation } from "../kernel/index.ts";
import type { LineConfiguration, ProductSet } from "../pricing/index.ts";
import { isExpired, isRefreshable, type Quote, quoteRepo, toQuotesById } from "../quotes/index.ts";
import { type Cart, type CartLine, configurationKey, type LockedPrice } from "./cart.ts";
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
  const { loaded: products, quotes } = await findWithQuotes(ctx, [quoteId], findProducts);
  const quote = quotes.get(quoteId);
  if (!quote) throw notFound("quote");
  if (isExpired(quote, ctx.now())) {
    throw ruleViolation("QUOTE_EXPIRED", "The quote has expired. Refresh it and try again.");
  }
  return { products, quote };
}

/**
 * Reads the quotes of expired locks again, because the quotes may have been refreshed, and updates
 * the locks. The quotes are read in the batch of `load`, or in a separate round trip when `load`
 * reads nothing.
 */
export async function refreshQuoteLocks<T>(
  ctx: CartContext,
  cart: Cart,
  load: (prefetches: readonly Prefetch[]) => Promise<T>,
): Promise<{ cart: Cart; loaded: T }> {
  const expiredIds = new Set(
    cart.lines.flatMap(({ snapshot: { lock } }) =>
      lock && !lock.isGone && isExpired(lock, ctx.now()) ? [lock.quoteId] : [],
    ),
  );
  if (expiredIds.size === 0) return { cart, loaded: await load([]) };
  const { loaded, quotes } = await findWithQuotes(ctx, [...expiredIds], load);
  return { cart: withRefreshedLocks(cart, { quotes, expiredIds, now: ctx.now() }), loaded };
}

async function findWithQuotes<T>(
  ctx: CartContext,
  ids: readonly string[],
  load: (prefetches: readonly Prefetch[]) => Promise<T>,
): Promise<{ loaded: T; quotes: ReadonlyMap<string, Quote> }> {
  const query = quoteRepo(ctx).queryByIds(ids);
  const quotes = createPrefetch(
    ctx.db,
    batchedRead([query], ([rows]) => toQuotesById(rows)),
  );
  const loaded = await load([quotes]);
  return { loaded, quotes: await quotes.load() };
}

type ReloadedQuotes = Readonly<{
  quotes: ReadonlyMap<string, Quote>;
  expiredIds: ReadonlySet<string>;
  now: number;
}>;

function withRefreshedLocks(cart: Cart, { quotes, expiredIds, now }: ReloadedQuotes): Cart {
  const withRefreshedLock = (line: CartLine): CartLine => {
    const { lock } = line.snapshot;
    if (!lock || !expiredIds.has(lock.quoteId)) return line;
    const quote = quotes.get(lock.quoteId);
    if (!quote || !isRefreshable(quote, now)) {
      return { ...line, snapshot: { ...line.snapshot, lock: { ...lock, isGone: true } } };
    }
    const coversLine =
      !isExpired(quote, now) &&
      quotePricesConfiguration(quote, line.configuration) &&
      quotedQuantity(cart, quote.id) <= quote.quantity;
    return coversLine
      ? { ...line, snapshot: { ...line.snapshot, lock: toLockedPrice(quote) } }
      : line;
  };
  return { ...cart, lines: cart.lines.map(withRefreshedLock) };
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
