import { z } from "@hono/zod-openapi";
import { bundleLimits, compositeLimits } from "../../../shared/catalogue/index.ts";
import { id } from "../../wire/fields.ts";

/** The quantity of a line. */
export const quantity = () => z.number().int().min(1).max(100);

/** The quantity of a composite's component. */
export const componentQuantity = () => z.number().int().min(1).max(compositeLimits.groupQuantity);

const BundleSelectionFields = z
  .object({
    component_id: id(),
    variant_id: id().nullish(),
    /**
     * The quantity that the bundle defines. Other values are refused, so the field may be omitted.
     */
    quantity: z.number().int().min(1).max(bundleLimits.componentQuantity).nullable().default(null),
  })
  .transform(({ component_id, variant_id, quantity }) => ({
    componentId: component_id,
    variantId: variant_id ?? null,
    quantity,
    addOnOptionId: null,
  }));

const CompositeSelectionFields = z
  .object({
    component_id: id(),
    quantity: componentQuantity().default(1),
    variant_id: id().nullish(),
    add_on_option_id: id().nullish(),
  })
  .transform(({ component_id, variant_id, quantity, add_on_option_id }) => ({
    componentId: component_id,
    variantId: variant_id ?? null,
    quantity,
    addOnOptionId: add_on_option_id ?? null,
  }));

export const addOnOptions = () => z.array(id()).max(50);
export const bundleSelections = () => z.array(BundleSelectionFields).max(bundleLimits.components);
export const compositeSelections = () =>
  z.array(CompositeSelectionFields).max(compositeLimits.selections);
