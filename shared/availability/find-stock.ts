import {
  type AtVersion,
  type CatalogueReader,
  findActiveProduct,
  idsByIdOrSlug,
  type ScheduleRule,
  type StockTarget,
  stockProductId,
  stockProductQuery,
  storefrontCatalogue,
} from "../catalogue/index.ts";
import { prepareReads } from "../database/index.ts";
import {
  availableQuantity,
  levelsAtLocationQuery,
  productLevelsQuery,
  stockedItemsQuery,
} from "../inventory/index.ts";
import { notFound } from "../kernel/index.ts";
import { isInStock } from "./is-in-stock.ts";
import type { ProductStock } from "./stock.ts";

/**
 * Reads the stock of a product or a variant, in one round trip.
 *
 * @throws Refusal NOT_FOUND when the product or variant is unknown, or the product is inactive.
 */
export async function findStock(
  reader: CatalogueReader,
  target: StockTarget,
): Promise<ProductStock> {
  const id = stockProductId(reader, target);
  const [rows, levels] = await reader.db.batch([
    stockProductQuery(reader, id),
    productLevelsQuery(reader, id),
  ]);
  const [first] = rows;
  if (!first) throw notFound(target.of);
  return {
    productId: first.productId,
    inventoryType: first.inventoryType,
    variantId: target.of === "variant" ? target.id : null,
    activeVariantIds: rows.flatMap(({ variantId }) => variantId ?? []),
    levels,
  };
}

/** A product's page, with the variants of which a unit is left. */
export type StockedProductPage = storefrontCatalogue.ProductPage &
  Readonly<{ stockedVariantIds: ReadonlySet<string> }>;

type StockedValues = { businessId: string; idOrSlug: string; locationId: string | null };

const stockedReads = prepareReads((db, { businessId, idOrSlug, locationId }: StockedValues) => {
  const business = { id: businessId };
  const productIds = idsByIdOrSlug(business, idOrSlug);
  return [stockedItemsQuery({ db, business }, { productIds, locationId })] as const;
});

/** Reads the page of a product with the stock of its variants, in one round trip. */
export async function findStockedPage(
  reader: CatalogueReader,
  idOrSlug: string,
  locationId: string | null = null,
): Promise<AtVersion<StockedProductPage | null>> {
  const { db, business } = reader;
  const [prefetch] = stockedReads(db, { businessId: business.id, idOrSlug, locationId });
  const { version, data, prefetched } = await storefrontCatalogue.findProductPage(
    reader,
    idOrSlug,
    { locationId, prefetch },
  );
  const itemIds = new Set(prefetched?.map(({ itemId }) => itemId));
  return { version, data: data && { ...data, stockedVariantIds: variantsInStock(data, itemIds) } };
}

function variantsInStock(
  { product, isInStock: isProductInStock }: storefrontCatalogue.ProductPage,
  itemIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const isStocked = ({ id }: Readonly<{ id: string }>) =>
    product.inventoryType === "variant_level" ? itemIds.has(id) : isProductInStock;
  return new Set(product.variants.filter(isStocked).map(({ id }) => id));
}

/**
 * Reads an active product's schedules and its stock at a location, in one round trip. Returns null
 * when no active product has the id.
 */
export async function findAvailableNow(
  reader: CatalogueReader,
  idOrSlug: string,
  locationId: string,
): Promise<{ schedules: readonly ScheduleRule[]; isInStock: boolean } | null> {
  const found = await findActiveProduct(reader, idOrSlug, (productIds) =>
    levelsAtLocationQuery(reader, { productIds, locationId }),
  );
  if (!found) return null;
  const { product, products, prefetched: levels = [] } = found;
  const available = new Map(levels.map((level) => [level.itemId, availableQuantity(level)]));
  return { schedules: product.schedules, isInStock: isInStock(product, products, available) };
}
