import type { Product } from "../../catalogue/index.ts";

/** What a buyer chooses on the product's page, because the protocol has no field for it. */
export type HostedChoice = "time" | "parts" | "options";

/** The choice that a product needs before it can be bought; null when the variant is enough. */
export function hostedChoiceOf({
  productType,
  addOns,
}: Pick<Product, "productType" | "addOns">): HostedChoice | null {
  if (productType === "service") return "time";
  if (productType === "composite") return "parts";
  return addOns.some(({ isRequired }) => isRequired) ? "options" : null;
}
