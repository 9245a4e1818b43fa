import { z } from "@hono/zod-openapi";
import { definitionLimits as limits } from "../../../shared/catalogue/index.ts";
import { id } from "../../wire/fields.ts";

/** Pieces of one line (interface.md, POST /cart/items). */
export const quantity = () => z.number().int().min(1).max(100);

/** Pieces chosen of a composite's component. */
export const pieces = () => z.number().int().min(1).max(limits.groupPieces);

const bundleSelection = z
  .object({
    component_id: id(),
    variant_id: id().nullish(),
    /** Left out, as many as the bundle holds; it takes no other number. */
    quantity: z.number().int().min(1).max(limits.componentPieces).nullable().default(null),
  })
  .transform(({ component_id, variant_id, quantity }) => ({
    componentId: component_id,
    variantId: variant_id ?? null,
    quantity,
    addOnOptionId: null,
  }));

const compositeSelection = z
  .object({
    component_id: id(),
    quantity: pieces().default(1),
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
export const bundleSelections = () => z.array(bundleSelection).max(limits.bundleComponents);
export const compositeSelections = () => z.array(compositeSelection).max(limits.selections);
