/** A piece chosen inside a bundle or a composite (interface.md, POST /cart/items). */
export type Selection = Readonly<{
  componentId: string;
  quantity: number;
  variantId: string | null;
  addOnOptionId: string | null;
}>;

/** A selection as it is asked for: without a quantity, of as many as the component's own. */
export type AskedSelection = Omit<Selection, "quantity"> & Readonly<{ quantity: number | null }>;

/** When a service is booked for, and with whom; epoch milliseconds. */
export type LineSlot = Readonly<{
  start: number;
  end: number;
  /** Who was asked for; null: whoever is free. */
  staffId: string | null;
}>;

/** What makes a cart line the line it is: two adds with equal configurations are one line. */
export type LineConfiguration = Readonly<{
  productId: string;
  variantId: string | null;
  addOnOptionIds: readonly string[];
  bundleSelections: readonly Selection[];
  compositeSelections: readonly Selection[];
  specialInstructions: string | null;
  /** Where it is bought: at that location's prices and from its stock; null for nowhere in particular. */
  locationId: string | null;
  /** The plan that it is paid by again and again; null for once. */
  billingPlanId: string | null;
  /** A service's, and of nothing else. */
  slot?: LineSlot;
}>;

/** A configuration as it is asked for, before `settledSelections`. */
export type AskedConfiguration = Omit<LineConfiguration, "bundleSelections"> &
  Readonly<{ bundleSelections: readonly AskedSelection[] }>;
