import { z } from "@hono/zod-openapi";
import type { Selection } from "../../../../shared/pricing/index.ts";

export const SelectionView = z.object({
  component_id: z.string(),
  variant_id: z.string().nullable(),
  quantity: z.number().int(),
  add_on_option_id: z.string().nullable(),
});

export const viewSelection = ({ componentId, variantId, quantity, addOnOptionId }: Selection) => ({
  component_id: componentId,
  variant_id: variantId,
  quantity,
  add_on_option_id: addOnOptionId,
});
