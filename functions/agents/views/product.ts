import {
  featuredVariant,
  hostedChoiceOf,
  optionsOf,
  type SelectedOption,
  selectionsOf,
  type VariantSelection,
} from "../../../shared/agents/index.ts";
import {
  type CatalogueEntry,
  compareAtPriceOf,
  shownCompareAtPrice,
  type Variant,
} from "../../../shared/catalogue/index.ts";
import { publicAddressOf } from "../../http/context.ts";
import { imageUrlAt } from "../../wire/fields.ts";
import type { AgentCall } from "../agent-call.ts";

/** A variant of a product, or the product itself when it has none. */
export type SoldItem = Readonly<{
  id: string;
  variant: Variant | null;
  priceMinor: number;
  isInStock: boolean;
}>;

/** What a product is sold as, the featured item first. */
export function soldItemsOf(entry: CatalogueEntry): readonly SoldItem[] {
  const { product, stockedVariantIds, isInStock } = entry;
  const featured = featuredVariant(product.variants, stockedVariantIds);
  if (!featured)
    return [{ id: product.id, variant: null, priceMinor: product.defaultPriceMinor, isInStock }];
  const rest = product.variants.filter((variant) => variant !== featured);
  return [featured, ...rest].map((variant) => toSoldItem(entry, variant));
}

export const toSoldItem = (
  { product, stockedVariantIds }: CatalogueEntry,
  variant: Variant,
): SoldItem => ({
  id: variant.id,
  variant,
  priceMinor: Math.max(0, product.defaultPriceMinor + variant.priceAdjustmentMinor),
  isInStock: stockedVariantIds.has(variant.id),
});

type InputMatch = Readonly<{ id: string; match: "exact" | "featured" }>;

type ShownItem = SoldItem & Readonly<{ inputs?: readonly InputMatch[] }>;

/** A product with those of its items that the answer shows; there is at least one. */
export function viewProduct(call: AgentCall, entry: CatalogueEntry, items: readonly ShownItem[]) {
  const { product, categories } = entry;
  const { currency } = call.business;
  const all = soldItemsOf(entry);
  const listPrices = all.map((item) => listPriceOf(entry, item) ?? item.priceMinor);
  const hasListPrice = all.some((item) => listPriceOf(entry, item) !== null);
  const options = optionsOf(product);
  return {
    id: product.id,
    handle: product.slug,
    title: product.name,
    description: { plain: product.description },
    url: productUrl(call, product),
    ...(categories.length > 0 && {
      categories: categories.map(({ slug }) => ({ value: slug, taxonomy: "merchant" })),
    }),
    price_range: rangeOf(
      all.map(({ priceMinor }) => priceMinor),
      currency,
    ),
    ...(hasListPrice && { list_price_range: rangeOf(listPrices, currency) }),
    ...(product.images.length > 0 && { media: viewMedia(call, entry) }),
    ...(options.length > 0 && {
      options: options.map(({ name, values }) => ({
        name,
        values: values.map((label) => ({ label })),
      })),
    }),
    variants: items.map((item) => viewItem(entry, item, currency)),
    ...(product.tags.length > 0 && { tags: product.tags }),
    ...(Object.keys(product.properties).length > 0 && { metadata: product.properties }),
  };
}

/** The product as `get_product` shows it: with the selections and what they leave to choose. */
export function viewProductDetail(
  call: AgentCall,
  entry: CatalogueEntry,
  { items, selection }: Readonly<{ items: readonly SoldItem[]; selection: VariantSelection }>,
) {
  const { options: _, ...view } = viewProduct(call, entry, items);
  const { options, selected } = selection;
  return options.length === 0 ? view : { ...view, selected: selected.map(viewSelected), options };
}

export const productUrl = ({ shopUrl }: AgentCall, { slug }: Readonly<{ slug: string }>): string =>
  `${shopUrl}/products/${encodeURIComponent(slug)}`;

const viewSelected = ({ name, label }: SelectedOption) => ({ name, label });

function viewItem(entry: CatalogueEntry, item: ShownItem, currency: string) {
  const { product } = entry;
  const { variant, inputs } = item;
  const title = variant?.name || product.name;
  const listPriceMinor = listPriceOf(entry, item);
  const options = variant ? selectionsOf(product, variant) : [];
  return {
    id: item.id,
    ...(variant?.sku && { sku: variant.sku }),
    title,
    description: { plain: title },
    price: { amount: item.priceMinor, currency },
    ...(listPriceMinor !== null && { list_price: { amount: listPriceMinor, currency } }),
    availability: viewAvailability(entry, item),
    ...(options.length > 0 && { options: options.map(viewSelected) }),
    ...(inputs && { inputs }),
  };
}

/** A product with a choice that only its page can take is not available to an agent. */
const viewAvailability = ({ product }: CatalogueEntry, { isInStock }: SoldItem) => ({
  available: isInStock && hostedChoiceOf(product) === null,
  status: isInStock ? "in_stock" : "out_of_stock",
});

const listPriceOf = (
  { product }: CatalogueEntry,
  { variant, priceMinor }: SoldItem,
): number | null => shownCompareAtPrice(compareAtPriceOf(product, variant), priceMinor);

const rangeOf = (amounts: readonly number[], currency: string) => ({
  min: { amount: Math.min(...amounts), currency },
  max: { amount: Math.max(...amounts), currency },
});

function viewMedia(call: AgentCall, { product: { images, name } }: CatalogueEntry) {
  const address = publicAddressOf(call.http);
  return images
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ url }) => ({ type: "image", url: imageUrlAt(address, url), alt_text: name }));
}
