import { type Companion, companionOf } from "../catalogue/index.ts";
import {
  demandCover,
  fxQuoteRepo,
  lockQuote,
  payAmountOf,
  relocked,
  type StoredFxQuote,
  usableQuote,
} from "../fx/index.ts";
import type { CheckoutRequest, Plan, PlannedFx } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

export type SoughtQuote = Readonly<{
  companions: readonly Companion[];
  /** Null without a quote, or for one that is none of ours; asks by itself when nobody took it along. */
  find: () => Promise<StoredFxQuote | null>;
}>;

/** The shopper's quote, as a companion of the products' read, so that it costs a round trip of its own only where that one is spared. */
export function soughtQuote(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { fxQuoteId }: Pick<CheckoutRequest, "fxQuoteId">,
): SoughtQuote {
  if (fxQuoteId === null) return { companions: [], find: async () => null };
  const query = fxQuoteRepo(ctx).query(fxQuoteId);
  let rows: readonly StoredFxQuote[] | null = null;
  const taken = companionOf(query, (answer) => {
    rows = answer;
  });
  return { companions: [taken], find: async () => (rows ?? (await query))[0] ?? null };
}

/**
 * How the order is paid in another currency than the cart's; null where it is not. With a quote the
 * quote decides, without one a rate is locked (completions.md 6).
 *
 * @throws Refusal NOT_FOUND, FX_QUOTE_USED, FX_QUOTE_EXPIRED or FX_QUOTE_MISMATCH of the shopper's
 * quote; VALIDATION_ERROR naming `pay_currency`, SERVICE_UNAVAILABLE without a rate.
 */
export async function plannedFx(
  ctx: CheckoutContext,
  { payCurrency, fxQuoteId }: Pick<CheckoutRequest, "payCurrency" | "fxQuoteId">,
  { sought, totalMinor }: Readonly<{ sought: SoughtQuote; totalMinor: number }>,
): Promise<PlannedFx | null> {
  const from = ctx.business.currency;
  const to = payCurrency ?? from;
  if (fxQuoteId !== null) {
    const payment = { from, to, totalMinor, now: ctx.now() };
    return { quote: usableQuote(await sought.find(), payment), isLocked: false };
  }
  if (to === from) return null;
  const quote = await lockQuote(ctx, { from, to, amountMinor: totalMinor });
  demandCover(quote, totalMinor);
  return { quote, isLocked: true };
}

/**
 * The same for a total that changed since it was planned, at the planned rate.
 *
 * @throws Refusal FX_QUOTE_MISMATCH when the shopper's quote is for less.
 */
export function refitted(fx: PlannedFx | null, totalMinor: number): PlannedFx | null {
  if (fx === null) return null;
  const quote = fx.isLocked ? relocked(fx.quote, totalMinor) : fx.quote;
  demandCover(quote, totalMinor);
  return { ...fx, quote };
}

/** What the payment provider is to move: the total, in the currency that it is paid in. */
export function amountToPay(
  { business }: Pick<CheckoutContext, "business">,
  { fx, totals: { totalPriceMinor } }: Pick<Plan, "fx" | "totals">,
): Readonly<{ amountMinor: number; currency: string }> {
  return fx
    ? { amountMinor: payAmountOf(fx.quote, totalPriceMinor), currency: fx.quote.to }
    : { amountMinor: totalPriceMinor, currency: business.currency };
}
