import { batchedRead, createPrefetch, knownPrefetch, type Prefetch } from "../database/index.ts";
import {
  assertFxQuoteCovers,
  type FxContext,
  fxQuoteRepo,
  lockFxQuote,
  payAmount,
  requireUsableQuote,
  type StoredFxQuote,
  withAmount,
} from "../fx/index.ts";
import type { CheckoutPlan, CheckoutRequest, PlannedFx } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/**
 * Prefetches the shopper's FX quote. The value is null for an unknown quote, or when no quote id is
 * given.
 */
export function prefetchFxQuote(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { fxQuoteId }: Pick<CheckoutRequest, "fxQuoteId">,
): Prefetch<StoredFxQuote | null> {
  if (fxQuoteId === null) return knownPrefetch(null);
  return createPrefetch(ctx.db, () =>
    batchedRead([fxQuoteRepo(ctx).query(fxQuoteId)], ([rows]) => rows[0] ?? null),
  );
}

/**
 * Decides how an order is paid in another currency: with the shopper's FX quote, or at a rate that
 * is locked now. Null when the order is paid in the cart's currency.
 *
 * @throws Refusal NOT_FOUND, FX_QUOTE_USED, FX_QUOTE_EXPIRED or FX_QUOTE_MISMATCH for the shopper's
 * quote; FX_NOT_CONFIGURED without rates; VALIDATION_ERROR naming `pay_currency` or
 * SERVICE_UNAVAILABLE without a rate into it.
 */
export async function planFx(
  ctx: Pick<CheckoutContext, keyof FxContext>,
  { payCurrency, fxQuoteId }: Pick<CheckoutRequest, "payCurrency" | "fxQuoteId">,
  {
    fxQuote,
    totalMinor,
    orderId,
  }: Readonly<{
    fxQuote: Prefetch<StoredFxQuote | null>;
    totalMinor: number;
    /** The order that is paid again; it may have used the quote already. */
    orderId?: string;
  }>,
): Promise<PlannedFx | null> {
  const from = ctx.business.currency;
  const to = payCurrency ?? from;
  if (fxQuoteId !== null) {
    const payment = { from, to, totalMinor, now: ctx.now(), ...(orderId && { orderId }) };
    return { quote: requireUsableQuote(await fxQuote.load(), payment), isLocked: false };
  }
  if (to === from) return null;
  const quote = await lockFxQuote(ctx, { from, to, amountMinor: totalMinor });
  assertFxQuoteCovers(quote, totalMinor);
  return { quote, isLocked: true };
}

/**
 * Recalculates the FX quote of a checkout for another order total, at the same rate.
 *
 * @throws Refusal FX_QUOTE_MISMATCH when the total exceeds the amount of the quote.
 */
export function fxForTotal(fx: PlannedFx | null, totalMinor: number): PlannedFx | null {
  if (fx === null) return null;
  const quote = fx.isLocked ? withAmount(fx.quote, totalMinor) : fx.quote;
  assertFxQuoteCovers(quote, totalMinor);
  return { ...fx, quote };
}

type AmountTerms = Pick<CheckoutPlan, "fx"> &
  Readonly<{ totals: Pick<CheckoutPlan["totals"], "totalPriceMinor"> }>;

/** The amount that the payment provider charges: the total in the currency of the payment. */
export function amountToPay(
  { business }: Pick<CheckoutContext, "business">,
  { fx, totals: { totalPriceMinor } }: AmountTerms,
): Readonly<{ amountMinor: number; currency: string }> {
  return fx
    ? { amountMinor: payAmount(fx.quote, totalPriceMinor), currency: fx.quote.to }
    : { amountMinor: totalPriceMinor, currency: business.currency };
}
