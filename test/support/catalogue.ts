import type { ShopContext } from "../../shared/businesses/index.ts";
import { createProduct, type NewProduct, type Product } from "../../shared/catalogue/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

/** A product that can be bought; `fields` are what matters to the test. */
export async function givenProduct(shop: Shop, fields: Partial<NewProduct> = {}): Promise<Product> {
  const { product } = await createProduct(contextFor(shop), {
    name: "Tea",
    slug: null,
    description: "",
    categoryId: null,
    taxonomyId: null,
    defaultPriceMinor: 1_000,
    productType: "product",
    inventoryType: "none",
    isActive: true,
    isFeatured: false,
    tags: [],
    properties: {},
    images: [],
    variantAxes: [],
    variants: [],
    addOns: [],
    priceOverrides: [],
    schedules: [],
    billingPlanIds: [],
    ...fields,
  });
  return product;
}

/** Pieces of a tracked product at the business's default location. */
export async function givenStock(
  shop: Shop,
  product: Product,
  quantityOnHand: number,
): Promise<void> {
  const ctx: ShopContext = contextFor(shop);
  const locationId = ctx.business.locations[0]?.id ?? "";
  await setStockLevel(
    ctx,
    { itemId: product.id, productId: product.id, locationId },
    { quantityOnHand },
  );
}
