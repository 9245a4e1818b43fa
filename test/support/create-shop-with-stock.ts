import { createProduct, setStock } from "./create-product.ts";
import { createBusiness, merchant, shopper } from "./world.ts";

/** A business with ten units of a product of 25.00, and clients of its APIs. */
export async function createShopWithStock() {
  const shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 10);
  return { shop, product, merchant: merchant(shop), shopper: shopper(shop) };
}

/** The response of a violated rule. */
export const ruleViolation = (name: string) => ({
  status: 422,
  body: { error: { context: { rule: name } } },
});
