import { notFound, ruleBroken } from "../kernel/index.ts";
import type { LineConfiguration } from "../pricing/index.ts";
import { isExpired, type Quote, quoteRepo } from "../quotes/index.ts";
import { type Cart, type CartLine, identityOf, type LockedPrice } from "./cart.ts";
import type { CartContext } from "./context.ts";

/**
 * The quote that an add names, one round trip; none without a name.
 *
 * @throws Refusal NOT_FOUND for an unknown quote, QUOTE_EXPIRED (completions.md 5).
 */
export async function findQuote(ctx: CartContext, quoteId: string | null): Promise<Quote | null> {
  if (quoteId === null) return null;
  const quote = await quoteRepo(ctx).find(quoteId);
  if (!quote) throw notFound("quote");
  if (isExpired(quote, ctx.now())) {
    throw ruleBroken("QUOTE_EXPIRED", "The quote has expired; refresh it and try again.");
  }
  return quote;
}

export const lockedBy = ({ id, unitPriceMinor, ...quote }: Quote): LockedPrice => ({
  quoteId: id,
  unitPriceMinor,
  variantId: quote.variantId,
  quantity: quote.quantity,
  expiresAt: quote.expiresAt,
});

/** The locked price while it holds: not past its expiry, nor when another variant became the default. */
export const heldPrice = (
  lock: LockedPrice | null,
  { variantId, now }: { variantId: string | null; now: number },
): number | null =>
  lock && !isExpired(lock, now) && lock.variantId === variantId ? lock.unitPriceMinor : null;

/** Refuses (QUOTE_MISMATCH) more pieces than the line's quote is for, on all lines that name it. */
export function demandQuoted(cart: Cart, { snapshot }: CartLine, now: number): void {
  const { lock } = snapshot;
  if (!lock || isExpired(lock, now)) return;
  const pieces = cart.lines
    .filter((line) => line.snapshot.lock?.quoteId === lock.quoteId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  if (pieces > lock.quantity) {
    throw ruleBroken("QUOTE_MISMATCH", "The quote is for fewer pieces.", {
      quantity_quoted: lock.quantity,
    });
  }
}

/** Refuses (QUOTE_MISMATCH) what the quote does not price; of the note to the merchant it says nothing. */
export function demandSameChoice(quote: Quote, asked: LineConfiguration): void {
  const { productId, variantId, addOnOptionIds, bundleSelections, compositeSelections } = quote;
  const choice = { productId, variantId, addOnOptionIds, bundleSelections, compositeSelections };
  if (identityOf({ ...asked, ...choice }) !== identityOf(asked)) {
    throw ruleBroken("QUOTE_MISMATCH", "The quote prices something else.");
  }
}
