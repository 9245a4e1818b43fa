import { givenProduct } from "../support/catalogue.ts";
import { givenBusiness, merchant } from "../support/world.ts";

/** A shop with a cup (4.00), and tea (10.00) in two sizes, the larger, 2.00 more, as default. */
export async function givenTeaSet() {
  const shop = await givenBusiness();
  const cup = await givenProduct(shop, { name: "Cup", defaultPriceMinor: 400 });
  const variant = {
    sku: null,
    axisValues: {},
    durationMinutes: null,
    bufferMinutes: null,
    capacity: null,
    isActive: true,
  };
  const tea = await givenProduct(shop, {
    variants: [
      { ...variant, name: "Small", priceAdjustmentMinor: 0, isDefault: false },
      { ...variant, name: "Large", priceAdjustmentMinor: 200, isDefault: true },
    ],
  });
  const components = [
    { name: "The cup", product_id: cup.id, quantity: 2 },
    {
      name: "The tea",
      product_id: tea.id,
      default_variant_id: tea.variants[0]?.id,
      is_swappable: true,
    },
  ];
  return { shop, ask: merchant(shop), cup, tea, components };
}
