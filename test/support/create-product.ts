import { merchantCatalogue, type NewProduct, type Product } from "../../shared/catalogue/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { contextFor, type TestBusiness } from "./world.ts";

/** Creates a product of 10.00 that can be bought; `fields` replace the defaults. */
export async function createProduct(
  shop: TestBusiness,
  fields: Partial<NewProduct> = {},
): Promise<Product> {
  const { product } = await merchantCatalogue.createProduct(contextFor(shop), {
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

/** Sets the quantity on hand of a tracked product at the business's default location. */
export async function setStock(
  shop: TestBusiness,
  product: Product,
  quantityOnHand: number,
): Promise<void> {
  const ctx = contextFor(shop);
  const locationId = ctx.business.locations[0]?.id ?? "";
  await setStockLevel(
    ctx,
    { itemId: product.id, productId: product.id, locationId },
    { quantityOnHand },
  );
}
