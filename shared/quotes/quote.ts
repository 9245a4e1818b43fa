import { chargeable, hour, minute } from "../kernel/index.ts";
import type { AskedConfiguration, LineConfiguration, PricePart } from "../pricing/index.ts";

/** What is chosen of a product, beyond its variant. */
export type QuotedSelections = Pick<
  AskedConfiguration,
  "addOnOptionIds" | "bundleSelections" | "compositeSelections"
>;

/** What is to be priced, and where (interface.md, POST /catalogue/quotes). */
export type QuoteRequest = QuotedSelections &
  Readonly<{
    productId: string;
    /** Null: the variant that stands when none is chosen. */
    variantId: string | null;
    locationId: string | null;
    /** For at most so many pieces the price is promised. */
    quantity: number;
  }>;

/** A price promised until it expires; `variantId` is the variant that it prices, chosen or by default. */
export type Quote = QuoteRequest &
  Pick<LineConfiguration, "bundleSelections"> &
  Readonly<{
    id: string;
    unitPriceMinor: number;
    /** They sum to `unitPriceMinor`. */
    parts: readonly PricePart[];
    currency: string;
    expiresAt: number;
  }>;

/** completions.md 4. */
export const quoteLifeMs = 15 * minute;

/** An expired quote holds no price any more, but can still be refreshed for so long. */
export const refreshableMs = 24 * hour;

/** Refuses (VALIDATION_ERROR) an amount beyond any that can be charged. */
export const subtotalOf = ({ unitPriceMinor, quantity }: Quote): number =>
  chargeable(unitPriceMinor * quantity, "quantity");

/** Whether its lock is over: the price is a promise no more. */
export const isExpired = ({ expiresAt }: Pick<Quote, "expiresAt">, now: number): boolean =>
  expiresAt <= now;

/** Whether it can be renewed, for a while after its lock too. */
export const isRefreshable = ({ expiresAt }: Pick<Quote, "expiresAt">, now: number): boolean =>
  expiresAt + refreshableMs > now;

/** What a refresh names anew; undefined leaves as it is. */
export type QuoteChanges = Readonly<{ [K in keyof QuoteRequest]: QuoteRequest[K] | undefined }>;

/**
 * The request of a refresh: what it names stands over the old. Another product takes nothing of what
 * was chosen of the first, since none of that is part of it.
 */
export function changedRequest(quote: Quote, changes: QuoteChanges): QuoteRequest {
  const productId = changes.productId ?? quote.productId;
  const chosen = productId === quote.productId ? quote : nothingChosen;
  return {
    productId,
    variantId: changes.variantId === undefined ? chosen.variantId : changes.variantId,
    locationId: changes.locationId === undefined ? quote.locationId : changes.locationId,
    quantity: changes.quantity ?? quote.quantity,
    addOnOptionIds: changes.addOnOptionIds ?? chosen.addOnOptionIds,
    bundleSelections: changes.bundleSelections ?? chosen.bundleSelections,
    compositeSelections: changes.compositeSelections ?? chosen.compositeSelections,
  };
}

const nothingChosen = {
  variantId: null,
  addOnOptionIds: [],
  bundleSelections: [],
  compositeSelections: [],
} as const;
