/** A piece chosen inside a bundle or a composite (interface.md, POST /cart/items). */
export type Selection = Readonly<{
  componentId: string;
  quantity: number;
  variantId: string | null;
  addOnOptionId: string | null;
}>;

/** What makes a cart line the line it is: two adds with equal configurations are one line. */
export type LineConfiguration = Readonly<{
  productId: string;
  variantId: string | null;
  addOnOptionIds: readonly string[];
  bundleSelections: readonly Selection[];
  compositeSelections: readonly Selection[];
  specialInstructions: string | null;
}>;
