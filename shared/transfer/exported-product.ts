import {
  type CsvVariant,
  type ExportedProduct,
  noOptions,
  type StoredProduct,
} from "../catalogue/index.ts";
import { onlyVariantColumns, productColumns, variantColumns } from "./imported-columns.ts";

type Writing = Readonly<{
  currency: string;
  /** Pieces at the default location by item. */
  onHand: ReadonlyMap<string, number>;
}>;

/** A product as a file writes it, so that reading the file again changes nothing. */
export function exportedProduct(product: StoredProduct, writing: Writing): ExportedProduct {
  const { extra, altTextOf } = productColumns(product.importedColumns);
  return {
    handle: product.slug,
    title: product.name,
    description: product.description,
    tags: product.tags,
    isPublished: product.isActive,
    images: product.images.map(({ url }, index) => ({
      url,
      position: index + 1,
      alt: altTextOf(url),
    })),
    axes: product.variantAxes,
    defaultPriceMinor: product.defaultPriceMinor,
    variants:
      product.variants.length > 0 ? variantsOf(product, writing) : [onlyVariant(product, writing)],
    extra,
  };
}

/** A product counted whole has its quantity in its first row. */
function variantsOf(product: StoredProduct, { currency, onHand }: Writing): CsvVariant[] {
  const { inventoryType } = product;
  return product.variants.map((variant, index) => {
    const itemId = inventoryType === "variant_level" ? variant.id : index === 0 ? product.id : "";
    return {
      axisValues: variant.axisValues,
      name: variant.name,
      sku: variant.sku,
      priceAdjustmentMinor: variant.priceAdjustmentMinor,
      quantity: inventoryType === "none" ? null : (onHand.get(itemId) ?? null),
      tracksInventory: inventoryType !== "none",
      ...variantColumns(variant.importedColumns, currency),
    };
  });
}

const onlyVariant = (
  { id, inventoryType, importedColumns }: StoredProduct,
  { currency, onHand }: Writing,
): CsvVariant => ({
  axisValues: {},
  name: noOptions.value,
  priceAdjustmentMinor: 0,
  quantity: inventoryType === "none" ? null : (onHand.get(id) ?? null),
  tracksInventory: inventoryType !== "none",
  ...onlyVariantColumns(importedColumns, currency),
});
