import { z } from "@hono/zod-openapi";
import {
  type AddOnGroup,
  type AddOnOption,
  type Category,
  compareAtPriceOf,
  inventoryTypes,
  type ListedProduct,
  mainImageUrl,
  type Product,
  priceRangeOf,
  productTypes,
  requiresShipping,
  selectionTypes,
  shownCompareAtPrice,
  type Variant,
} from "../../../../shared/catalogue/index.ts";
import { formatMoney, formatMoneyOrNull, iso } from "../../../../shared/kernel/index.ts";
import { imageUrlAt, type PublicAddress } from "../../fields.ts";

const money = () => z.string().openapi({ example: "12.50" });

export const VariantView = z
  .object({
    id: z.string(),
    product_id: z.string(),
    name: z.string(),
    price_adjustment: money(),
    compare_at_price: money().nullable(),
    is_default: z.boolean(),
    sku: z.string().nullable(),
    is_active: z.boolean(),
    axis_values: z.record(z.string(), z.string()),
    duration_minutes: z.number().int().nullable(),
    buffer_minutes: z.number().int().nullable(),
    capacity: z.number().int().nullable(),
    weight_grams: z.number().int().nullable(),
  })
  .openapi("Variant");
export type VariantView = z.infer<typeof VariantView>;

/** A variant of a product that shoppers look at. */
export const OfferedVariantView = VariantView.extend({ in_stock: z.boolean() }).openapi(
  "OfferedVariant",
);
export type OfferedVariantView = z.infer<typeof OfferedVariantView>;

export const VariantAxisView = z
  .object({ name: z.string(), label: z.string(), values: z.array(z.string()) })
  .openapi("VariantAxis");

export const AddOnOptionView = z.object({ id: z.string(), name: z.string(), price: money() });

export const AddOnGroupView = z
  .object({
    id: z.string(),
    name: z.string(),
    selection_type: z.enum(selectionTypes),
    is_required: z.boolean(),
    options: z.array(AddOnOptionView),
  })
  .openapi("AddOnGroup");
export type AddOnGroupView = z.infer<typeof AddOnGroupView>;

export const ProductListEntryView = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    category_id: z.string().nullable(),
    image_url: z.string().nullable(),
    default_price: money(),
    compare_at_price: money().nullable(),
    price_range: z.object({ min: money(), max: money() }),
    currency: z.string(),
    product_type: z.enum(productTypes),
    inventory_type: z.enum(inventoryTypes),
    in_stock: z.boolean(),
    is_active: z.boolean(),
    featured: z.boolean(),
  })
  .openapi("ProductListEntry");
export type ProductListEntryView = z.infer<typeof ProductListEntryView>;

export const ProductDetailView = ProductListEntryView.extend({
  variants: z.array(OfferedVariantView),
  add_ons: z.array(AddOnGroupView),
  images: z.array(z.object({ url: z.string(), is_primary: z.boolean() })),
  tags: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()),
  category: z.object({ id: z.string(), name: z.string(), slug: z.string() }).nullable(),
  variant_axes: z.array(VariantAxisView),
  taxonomy_id: z.string().nullable(),
  tax_class: z.string().openapi({ example: "standard" }),
  weight_grams: z.number().int(),
  requires_shipping: z.boolean(),
  created_at: z.string(),
}).openapi("ProductDetail");
export type ProductDetailView = z.infer<typeof ProductDetailView>;

/** A merchant reads images and compare-at prices as written, with a null address. */
type ProductViewOptions = Readonly<{ currency: string; address: PublicAddress | null }>;

export const viewProductListEntry = (
  product: ListedProduct,
  options: ProductViewOptions,
): ProductListEntryView => ({
  ...viewProductSummary(product, options),
  in_stock: product.isInStock,
});

const viewProductSummary = (
  product: Omit<ListedProduct, "isInStock">,
  { currency, address }: ProductViewOptions,
): Omit<ProductListEntryView, "in_stock"> => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  description: product.description,
  category_id: product.categoryId,
  image_url: imageUrlAt(address, mainImageUrl(product)),
  default_price: formatMoney(product.defaultPriceMinor, currency),
  compare_at_price: formatMoneyOrNull(
    address === null
      ? product.compareAtPriceMinor
      : shownCompareAtPrice(product.compareAtPriceMinor, product.defaultPriceMinor),
    currency,
  ),
  price_range: {
    min: formatMoney(product.priceRange.minMinor, currency),
    max: formatMoney(product.priceRange.maxMinor, currency),
  },
  currency,
  product_type: product.productType,
  inventory_type: product.inventoryType,
  is_active: product.isActive,
  featured: product.isFeatured,
});

/** The details of a product, except its stock and that of its variants. */
export const viewProductDetail = (
  product: Omit<Product, "bundle" | "composite">,
  {
    currency,
    address,
    category,
  }: ProductViewOptions & { category: Pick<Category, "id" | "name" | "slug"> | null },
): Omit<ProductDetailView, "in_stock" | "variants"> & Readonly<{ variants: VariantView[] }> => ({
  ...viewProductSummary({ ...product, priceRange: priceRangeOf(product) }, { currency, address }),
  variants: product.variants.map((variant) =>
    address === null
      ? viewVariantRecord(variant, { currency })
      : viewVariant(variant, product, { currency }),
  ),
  add_ons: product.addOns.map((group) => viewAddOnGroup(group, { currency })),
  images: product.images.map(({ url, isPrimary }) => ({
    url: imageUrlAt(address, url),
    is_primary: isPrimary,
  })),
  tags: [...product.tags],
  properties: product.properties,
  category: category && { id: category.id, name: category.name, slug: category.slug },
  variant_axes: viewVariantAxes(product),
  taxonomy_id: product.taxonomyId,
  tax_class: product.taxClass,
  weight_grams: product.weightGrams,
  requires_shipping: requiresShipping(product),
  created_at: iso(product.createdAt),
});

/** A variant as shoppers see it: with the former price that counts, where it is above the price. */
export const viewVariant = (
  variant: Variant,
  product: Pick<Product, "compareAtPriceMinor" | "defaultPriceMinor">,
  { currency }: { currency: string },
): VariantView => ({
  ...viewVariantRecord(variant, { currency }),
  compare_at_price: formatMoneyOrNull(
    shownCompareAtPrice(
      compareAtPriceOf(product, variant),
      Math.max(0, product.defaultPriceMinor + variant.priceAdjustmentMinor),
    ),
    currency,
  ),
});

/** A variant as its merchant wrote it. */
export const viewVariantRecord = (
  variant: Variant,
  { currency }: { currency: string },
): VariantView => ({
  id: variant.id,
  product_id: variant.productId,
  name: variant.name,
  price_adjustment: formatMoney(variant.priceAdjustmentMinor, currency),
  compare_at_price: formatMoneyOrNull(variant.compareAtPriceMinor, currency),
  is_default: variant.isDefault,
  sku: variant.sku,
  is_active: variant.isActive,
  axis_values: variant.axisValues,
  duration_minutes: variant.durationMinutes,
  buffer_minutes: variant.bufferMinutes,
  capacity: variant.capacity,
  weight_grams: variant.weightGrams,
});

export const viewVariantAxes = ({ variantAxes }: Pick<Product, "variantAxes">) =>
  variantAxes.map(({ name, label, values }) => ({ name, label, values: [...values] }));

const viewAddOnGroup = (group: AddOnGroup, { currency }: { currency: string }): AddOnGroupView => ({
  id: group.id,
  name: group.name,
  selection_type: group.selectionType,
  is_required: group.isRequired,
  options: group.options.map((option) => viewAddOnOption(option, { currency })),
});

export const viewAddOnOption = (
  { id, name, priceMinor }: AddOnOption,
  { currency }: { currency: string },
): z.infer<typeof AddOnOptionView> => ({ id, name, price: formatMoney(priceMinor, currency) });
