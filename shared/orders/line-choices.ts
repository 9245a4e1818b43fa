import type { LineConfiguration } from "../pricing/index.ts";

/** What the line of a cart was configured with beyond the line's own columns. */
export type LineChoices = Partial<
  Pick<
    LineConfiguration,
    "bundleSelections" | "compositeSelections" | "locationId" | "billingPlanId" | "slot"
  >
>;

/** The choices of a configuration; null for a plain line, which most are. */
export function lineChoices(configuration: LineConfiguration): LineChoices | null {
  const { bundleSelections, compositeSelections, locationId, billingPlanId, slot } = configuration;
  const choices: LineChoices = {
    ...(bundleSelections.length > 0 && { bundleSelections }),
    ...(compositeSelections.length > 0 && { compositeSelections }),
    ...(locationId !== null && { locationId }),
    ...(billingPlanId !== null && { billingPlanId }),
    ...(slot && { slot }),
  };
  return Object.keys(choices).length === 0 ? null : choices;
}

type ConfiguredLine = Readonly<{ choices: LineChoices | null }> &
  Pick<LineConfiguration, "productId" | "variantId" | "addOnOptionIds" | "specialInstructions">;

/** The configuration with which an order's line can go back into a cart. */
export const configurationOf = ({
  productId,
  variantId,
  addOnOptionIds,
  specialInstructions,
  choices,
}: ConfiguredLine): LineConfiguration => ({
  productId,
  variantId,
  addOnOptionIds,
  bundleSelections: [],
  compositeSelections: [],
  specialInstructions,
  locationId: null,
  billingPlanId: null,
  ...choices,
});
