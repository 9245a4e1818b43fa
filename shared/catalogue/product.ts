import type { Json } from "../kernel/index.ts";
import type { BillingPlan } from "./plans/billing-plan.ts";
import type { ScheduleRule } from "./schedules/schedule.ts";

export const productTypes = ["product", "service", "bundle", "composite", "digital"] as const;
export type ProductType = (typeof productTypes)[number];

/** The tax class that every business has, and that products have unless the merchant sets another. */
export const standardTaxClass = "standard";

/** How stock is counted. none: not at all; tracked: per product; variant_level: per variant. */
export const inventoryTypes = ["none", "tracked", "variant_level"] as const;
export type InventoryType = (typeof inventoryTypes)[number];

export const selectionTypes = ["single", "multiple"] as const;
export type SelectionType = (typeof selectionTypes)[number];

export type Variant = Readonly<{
  id: string;
  productId: string;
  name: string;
  /** Added to the product's default price; may be negative. */
  priceAdjustmentMinor: number;
  /** The variant's full former price. Null means the product's former price plus the adjustment. */
  compareAtPriceMinor: number | null;
  isDefault: boolean;
  isActive: boolean;
  sku: string | null;
  /** The variant's value on each axis, by axis name. */
  axisValues: Readonly<Record<string, string>>;
  durationMinutes: number | null;
  bufferMinutes: number | null;
  capacity: number | null;
  /** What a unit weighs; null means the product's weight. */
  weightGrams: number | null;
}>;

export type VariantAxis = Readonly<{ name: string; label: string; values: readonly string[] }>;

export type AddOnOption = Readonly<{ id: string; name: string; priceMinor: number }>;

export type AddOnGroup = Readonly<{
  id: string;
  name: string;
  selectionType: SelectionType;
  isRequired: boolean;
  options: readonly AddOnOption[];
}>;

/** The full price at a location. A variant's price includes its adjustment. */
export type PriceOverride = Readonly<{
  locationId: string;
  variantId: string | null;
  priceMinor: number;
}>;

export type ProductImage = Readonly<{ id: string; url: string; isPrimary: boolean }>;

/** An image as it is stored. Images that were written by earlier versions have no id. */
export type StoredImage = Omit<ProductImage, "id"> & Readonly<{ id?: string }>;

/** The most images that a product has after a PATCH or an upload. Imports may add more. */
export const maxProductImages = 100;

export const bundlePricingTypes = ["fixed", "percent_off", "amount_off"] as const;

export type BundleComponent = Readonly<{
  componentId: string;
  name: string;
  productId: string;
  defaultVariantId: string | null;
  quantity: number;
  isSwappable: boolean;
}>;

/**
 * How a bundle is priced. `fixed` is the product's own price; the others are discounts on the sum
 * of the components.
 */
export type BundlePricing =
  | Readonly<{ type: "fixed" }>
  | Readonly<{ type: "percent_off"; percent: string }>
  | Readonly<{ type: "amount_off"; amountMinor: number }>;

export type Bundle = Readonly<{
  id: string;
  productId: string;
  components: readonly BundleComponent[];
  pricing: BundlePricing;
}>;

export type CompositeComponent = Readonly<{
  componentId: string;
  name: string;
  priceMinor: number;
  productId: string | null;
}>;

export type CompositeGroup = Readonly<{
  id: string;
  name: string;
  minSelections: number;
  maxSelections: number;
  components: readonly CompositeComponent[];
}>;

export type Composite = Readonly<{
  id: string;
  productId: string;
  basePriceMinor: number;
  groups: readonly CompositeGroup[];
}>;

/** A product with everything that is needed to price or show it. Amounts are in minor units. */
export type Product = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  categoryId: string | null;
  taxonomyId: string | null;
  defaultPriceMinor: number;
  /** The former price that is shown struck through; null when there is none. */
  compareAtPriceMinor: number | null;
  /** The code of a tax class. */
  taxClass: string;
  productType: ProductType;
  inventoryType: InventoryType;
  isActive: boolean;
  isFeatured: boolean;
  tags: readonly string[];
  properties: Readonly<Record<string, Json>>;
  images: readonly ProductImage[];
  variantAxes: readonly VariantAxis[];
  variants: readonly Variant[];
  addOns: readonly AddOnGroup[];
  priceOverrides: readonly PriceOverride[];
  /** A product without rules is always offered. */
  schedules: readonly ScheduleRule[];
  billingPlanIds: readonly string[];
  weightGrams: number;
  /** As the merchant set it. `requiresShipping` says whether it counts for the product's type. */
  requiresShipping: boolean;
  bundle: Bundle | null;
  composite: Composite | null;
  createdAt: number;
  updatedAt: number;
}>;

/**
 * A product as carts and quotes read it. Archived plans, categories and collections are left out.
 */
export type OfferedProduct = Product &
  Readonly<{
    billingPlans: readonly BillingPlan[];
    /**
     * Ids of the product's collections, its category and the category's ancestors. Deals may apply
     * to these. Only carts read them, and only the kinds that a deal of the business needs.
     */
    groupIds: readonly string[];
  }>;

/** The lowest and the highest price of a product's active variants; without any, its own price. */
export type PriceRange = Readonly<{ minMinor: number; maxMinor: number }>;

/** The price range of a product, without add-on options, selections and billing plans. */
export function priceRangeOf({
  defaultPriceMinor,
  variants,
}: Pick<Product, "defaultPriceMinor" | "variants">): PriceRange {
  const prices = variants
    .filter(({ isActive }) => isActive)
    .map(({ priceAdjustmentMinor }) => Math.max(0, defaultPriceMinor + priceAdjustmentMinor));
  if (prices.length === 0) return { minMinor: defaultPriceMinor, maxMinor: defaultPriceMinor };
  return { minMinor: Math.min(...prices), maxMinor: Math.max(...prices) };
}

/** The former price of a product with a variant; null when there is none. */
export function compareAtPriceOf(
  product: Pick<Product, "compareAtPriceMinor">,
  variant: Pick<Variant, "compareAtPriceMinor" | "priceAdjustmentMinor"> | null,
): number | null {
  const { compareAtPriceMinor: ofProduct } = product;
  const inherited = ofProduct === null ? null : ofProduct + (variant?.priceAdjustmentMinor ?? 0);
  return variant?.compareAtPriceMinor ?? inherited;
}

/** The former price that shoppers see next to a price; null unless it is above that price. */
export const shownCompareAtPrice = (
  compareAtPriceMinor: number | null,
  priceMinor: number,
): number | null =>
  compareAtPriceMinor !== null && compareAtPriceMinor > priceMinor ? compareAtPriceMinor : null;

/** The URL of the primary image, or else of the first one. */
export const mainImageUrl = ({
  images,
}: Readonly<{ images: readonly StoredImage[] }>): string | null =>
  (images.find(({ isPrimary }) => isPrimary) ?? images[0])?.url ?? null;

/** Whether units of a product are handed over. Digital products and services never are. */
export const requiresShipping = ({
  productType,
  requiresShipping,
}: Pick<Product, "productType" | "requiresShipping">): boolean =>
  requiresShipping && productType !== "digital" && productType !== "service";

/** What a unit of a product with a variant weighs. */
export const weightOf = (
  { weightGrams }: Pick<Product, "weightGrams">,
  variant: Pick<Variant, "weightGrams"> | null,
): number => variant?.weightGrams ?? weightGrams;

/** The variant that is sold when a line names no variant; undefined when no variant is active. */
export function defaultVariantOf<V extends Pick<Variant, "isActive" | "isDefault">>({
  variants,
}: Readonly<{ variants: readonly V[] }>): V | undefined {
  const active = variants.filter(({ isActive }) => isActive);
  return active.find(({ isDefault }) => isDefault) ?? active[0];
}

/**
 * The active variant with these axis values. When several variants match an incomplete selection,
 * the default variant is chosen, or otherwise the first.
 */
export function findVariant(
  { variants }: Pick<Product, "variants">,
  axisSelections: Readonly<Record<string, string>>,
): Variant | null {
  const matching = variants.filter(
    ({ isActive, axisValues }) =>
      isActive &&
      Object.entries(axisSelections).every(([axis, value]) => axisValues[axis] === value),
  );
  return matching.find(({ isDefault }) => isDefault) ?? matching[0] ?? null;
}
