import type { Json } from "../kernel/index.ts";
import type { ScheduleRule } from "./schedules/schedule-rule.ts";

export const productTypes = ["product", "service", "bundle", "composite", "digital"] as const;
export type ProductType = (typeof productTypes)[number];

/** none: always available; tracked: counted per product; variant_level: counted per variant. */
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
  isDefault: boolean;
  isActive: boolean;
  sku: string | null;
  /** Axis name to the value that this variant has on it. */
  axisValues: Readonly<Record<string, string>>;
  durationMinutes: number | null;
  bufferMinutes: number | null;
  capacity: number | null;
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

/** The price at a location: of the product, or of one of its variants, adjustment included. */
export type PriceOverride = Readonly<{
  locationId: string;
  variantId: string | null;
  priceMinor: number;
}>;

export type ProductImage = Readonly<{ url: string; isPrimary: boolean }>;

export const bundlePricingTypes = ["fixed", "percent_off", "amount_off"] as const;

export type BundleComponent = Readonly<{
  componentId: string;
  name: string;
  productId: string;
  defaultVariantId: string | null;
  quantity: number;
  isSwappable: boolean;
}>;

/** fixed: the product's price stands; percent_off and amount_off: taken off the sum of the parts. */
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

/** A product with everything that a price or a page needs, read whole. Money in minor units. */
export type Product = Readonly<{
  id: string;
  name: string;
  slug: string;
  description: string;
  categoryId: string | null;
  taxonomyId: string | null;
  defaultPriceMinor: number;
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
  /** Without rules it is always offered. */
  schedules: readonly ScheduleRule[];
  billingPlanIds: readonly string[];
  bundle: Bundle | null;
  composite: Composite | null;
  createdAt: number;
  updatedAt: number;
}>;
