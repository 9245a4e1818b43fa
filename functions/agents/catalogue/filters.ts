import type { CatalogueEntry } from "../../../shared/catalogue/index.ts";
import type { AgentCall } from "../agent-call.ts";
import type { CatalogueFilters } from "../requests/catalogue-fields.ts";
import { infoMessage, type MessageView } from "../views/message.ts";
import type { SoldItem } from "../views/product.ts";

type CatalogueRequest = Readonly<{
  filters: CatalogueFilters;
  context: Readonly<{ currency?: string | undefined }>;
}>;

export type PriceBounds = Readonly<{ minMinor: number | null; maxMinor: number | null }>;

const noBounds: PriceBounds = { minMinor: null, maxMinor: null };

/**
 * The price bounds of a request in the business's currency. Bounds in another currency are not
 * converted and therefore ignored, which a message says.
 */
export function priceBoundsOf(
  { business }: AgentCall,
  { filters: { price }, context: { currency } }: CatalogueRequest,
): Readonly<{ bounds: PriceBounds; messages: readonly MessageView[] }> {
  if (!price) return { bounds: noBounds, messages: [] };
  if (currency !== undefined && currency.toUpperCase() !== business.currency) {
    const content = `Prices are in ${business.currency}. The price filter was ignored.`;
    return { bounds: noBounds, messages: [infoMessage("price_filter_ignored", content)] };
  }
  return {
    bounds: { minMinor: price.min ?? null, maxMinor: price.max ?? null },
    messages: [],
  };
}

export const isWithinBounds =
  ({ minMinor, maxMinor }: PriceBounds) =>
  ({ priceMinor }: Pick<SoldItem, "priceMinor">): boolean =>
    priceMinor >= (minMinor ?? 0) && (maxMinor === null || priceMinor <= maxMinor);

/** Whether the product is in one of the categories; any product is when none is requested. */
export const isInCategories = (
  { categories }: CatalogueEntry,
  { categories: requested = [] }: CatalogueFilters,
): boolean => requested.length === 0 || categories.some(({ slug }) => requested.includes(slug));
