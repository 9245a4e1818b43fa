import { z } from "@hono/zod-openapi";
import type { BundleComponent, CompositeGroup } from "../../../../shared/catalogue/index.ts";
import { formatMoney } from "../../../../shared/kernel/index.ts";

export const BundleComponentsView = z.array(
  z.object({
    component_id: z.string(),
    name: z.string(),
    product_id: z.string(),
    default_variant_id: z.string().nullable(),
    quantity: z.number().int(),
    is_swappable: z.boolean(),
  }),
);

export const viewBundleComponents = (
  components: readonly BundleComponent[],
): z.infer<typeof BundleComponentsView> =>
  components.map((component) => ({
    component_id: component.componentId,
    name: component.name,
    product_id: component.productId,
    default_variant_id: component.defaultVariantId,
    quantity: component.quantity,
    is_swappable: component.isSwappable,
  }));

export const CompositeGroupsView = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    min_selections: z.number().int(),
    max_selections: z.number().int(),
    components: z.array(
      z.object({
        component_id: z.string(),
        name: z.string(),
        price: z.string(),
        product_id: z.string().nullable(),
      }),
    ),
  }),
);

export const viewCompositeGroups = (
  groups: readonly CompositeGroup[],
  { currency }: { currency: string },
): z.infer<typeof CompositeGroupsView> =>
  groups.map((group) => ({
    id: group.id,
    name: group.name,
    min_selections: group.minSelections,
    max_selections: group.maxSelections,
    components: group.components.map((component) => ({
      component_id: component.componentId,
      name: component.name,
      price: formatMoney(component.priceMinor, currency),
      product_id: component.productId,
    })),
  }));
