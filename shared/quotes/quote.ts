import { hour, minute, requireChargeable } from "../kernel/index.ts";
import {
  type LineConfiguration,
  type LineConfigurationInput,
  type PricePart,
  type ProductSet,
  priceLine,
  withDefaultQuantities,
} from "../pricing/index.ts";

/** Add-ons, bundle and composite selections of a quote. */
export type QuoteSelections = Pick<
  LineConfigurationInput,
  "addOnOptionIds" | "bundleSelections" | "compositeSelections"
>;

/** The configuration, location and quantity to quote. */
export type QuoteRequest = QuoteSelections &
  Readonly<{
    productId: string;
    /** The chosen variant. Null uses the product's default variant. */
    variantId: string | null;
    locationId: string | null;
    /** The maximum quantity that the locked price applies to. */
    quantity: number;
  }>;

/**
 * A price that is locked until the quote expires. `variantId` is the priced variant, even if the
 * request left it to the default.
 */
export type Quote = QuoteRequest &
  Pick<LineConfiguration, "bundleSelections"> &
  Readonly<{
    id: string;
    unitPriceMinor: number;
    /** The parts add up to `unitPriceMinor`. */
    parts: readonly PricePart[];
    currency: string;
    expiresAt: number;
  }>;

/** How long a quote locks its price. */
export const quoteTtlMs = 15 * minute;

/** How long after its expiry a quote can still be refreshed. */
export const quoteRefreshWindowMs = 24 * hour;

/** @throws Refusal VALIDATION_ERROR for an amount too large to charge. */
export const quoteSubtotal = ({ unitPriceMinor, quantity }: Quote): number =>
  requireChargeable(unitPriceMinor * quantity, "quantity");

/** Whether the price is no longer locked. */
export const isExpired = ({ expiresAt }: Pick<Quote, "expiresAt">, now: number): boolean =>
  expiresAt <= now;

/** Whether the quote can be refreshed. An expired quote still can, for 24 hours. */
export const isRefreshable = ({ expiresAt }: Pick<Quote, "expiresAt">, now: number): boolean =>
  expiresAt + quoteRefreshWindowMs > now;

/** The fields that a refresh replaces; undefined keeps the old value. */
export type QuoteUpdate = Readonly<{ [K in keyof QuoteRequest]: QuoteRequest[K] | undefined }>;

/**
 * Applies a refresh to the quote's request. When the product changes, the old selections are
 * dropped, because they belong to the old product.
 */
export function applyQuoteUpdate(quote: Quote, update: QuoteUpdate): QuoteRequest {
  const productId = update.productId ?? quote.productId;
  const previousSelections = productId === quote.productId ? quote : noSelections;
  return {
    productId,
    variantId: update.variantId === undefined ? previousSelections.variantId : update.variantId,
    locationId: update.locationId === undefined ? quote.locationId : update.locationId,
    quantity: update.quantity ?? quote.quantity,
    addOnOptionIds: update.addOnOptionIds ?? previousSelections.addOnOptionIds,
    bundleSelections: update.bundleSelections ?? previousSelections.bundleSelections,
    compositeSelections: update.compositeSelections ?? previousSelections.compositeSelections,
  };
}

const noSelections = {
  variantId: null,
  addOnOptionIds: [],
  bundleSelections: [],
  compositeSelections: [],
} as const;

/** A quote without its price. */
export type UnpricedQuote = QuoteRequest & Pick<Quote, "id" | "currency" | "expiresAt">;

/**
 * Prices a quote with these products.
 *
 * @throws Refusal NOT_FOUND for anything unknown or inactive, SELECTION_INVALID, VALIDATION_ERROR
 * for an amount too large to charge.
 */
export function priceQuote(products: ProductSet, unpriced: UnpricedQuote): Quote {
  const bundleSelections = withDefaultQuantities(
    products.get(unpriced.productId)?.bundle,
    unpriced.bundleSelections,
  );
  const { unitPriceMinor, parts, variant } = priceLine(products, {
    ...unpriced,
    bundleSelections,
    specialInstructions: null,
    billingPlanId: null,
  });
  const variantId = variant?.id ?? null;
  const quote = { ...unpriced, bundleSelections, variantId, unitPriceMinor, parts };
  quoteSubtotal(quote);
  return quote;
}
