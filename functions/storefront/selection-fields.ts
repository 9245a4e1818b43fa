import { z } from "@hono/zod-openapi";
import { id } from "../http/fields.ts";

/** Pieces of one line (interface.md, POST /cart/items). */
export const quantity = () => z.number().int().min(1).max(100);

const bundleSelection = z
  .object({ component_id: id(), variant_id: id().nullish(), quantity: quantity().default(1) })
  .transform(({ component_id, variant_id, quantity }) => ({
    componentId: component_id,
    variantId: variant_id ?? null,
    quantity,
    addOnOptionId: null,
  }));

const compositeSelection = z
  .object({
    component_id: id(),
    quantity: quantity().default(1),
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
export const bundleSelections = () => z.array(bundleSelection).max(50);
export const compositeSelections = () => z.array(compositeSelection).max(50);
