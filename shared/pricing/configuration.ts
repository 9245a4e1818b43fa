import type { Bundle } from "../catalogue/index.ts";

/** A component chosen inside a bundle or a composite. */
export type Selection = Readonly<{
  componentId: string;
  quantity: number;
  variantId: string | null;
  addOnOptionId: string | null;
}>;

/** A selection as requested; a null quantity means the component's own quantity. */
export type SelectionInput = Omit<Selection, "quantity"> & Readonly<{ quantity: number | null }>;

/** The booked time of a service, in epoch milliseconds. */
export type LineSlot = Readonly<{
  start: number;
  end: number;
  /** The requested staff member; null accepts any free one. */
  staffId: string | null;
}>;

/** Everything chosen for a cart line. Items with equal configurations share one line. */
export type LineConfiguration = Readonly<{
  productId: string;
  variantId: string | null;
  addOnOptionIds: readonly string[];
  bundleSelections: readonly Selection[];
  compositeSelections: readonly Selection[];
  specialInstructions: string | null;
  /** The location whose prices and stock apply; null for none in particular. */
  locationId: string | null;
  /** The billing plan of a subscription; null for a one-time purchase. */
  billingPlanId: string | null;
  /** Only for services. */
  slot?: LineSlot;
}>;

/** A configuration as requested, before `withDefaultQuantities`. */
export type LineConfigurationInput = Omit<LineConfiguration, "bundleSelections"> &
  Readonly<{ bundleSelections: readonly SelectionInput[] }>;

/** The selections with missing quantities taken from the bundle; 1 for unknown components. */
export const withDefaultQuantities = (
  bundle: Bundle | null | undefined,
  selections: readonly SelectionInput[],
): readonly Selection[] =>
  selections.map((selection) => {
    const component = bundle?.components.find(
      ({ componentId }) => componentId === selection.componentId,
    );
    return { ...selection, quantity: selection.quantity ?? component?.quantity ?? 1 };
  });
