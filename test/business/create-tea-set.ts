import { createProduct } from "../support/create-product.ts";
import { createBusiness, merchant } from "../support/world.ts";

/** A shop with a cup (4.00) and tea in two sizes: small (10.00) and large (12.00), which is the default. */
export async function createTeaSet() {
  const shop = await createBusiness();
  const cup = await createProduct(shop, { name: "Cup", defaultPriceMinor: 400 });
  const variant = {
    sku: null,
    axisValues: {},
    durationMinutes: null,
    bufferMinutes: null,
    capacity: null,
    isActive: true,
  };
  const tea = await createProduct(shop, {
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
