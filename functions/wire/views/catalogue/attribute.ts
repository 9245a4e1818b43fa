import { z } from "@hono/zod-openapi";
import { type Attribute, attributeTypes } from "../../../../shared/catalogue/index.ts";

export const AttributeView = z
  .object({
    id: z.string(),
    key: z.string(),
    label: z.string(),
    type: z.enum(attributeTypes),
    values: z.array(z.string()),
    unit: z.string().nullable(),
    is_filterable: z.boolean(),
  })
  .openapi("Attribute");
export type AttributeView = z.infer<typeof AttributeView>;

export const viewAttribute = (attribute: Attribute): AttributeView => ({
  id: attribute.id,
  key: attribute.key,
  label: attribute.label,
  type: attribute.type,
  values: [...attribute.values],
  unit: attribute.unit,
  is_filterable: attribute.isFilterable,
});
