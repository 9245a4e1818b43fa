import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenBusiness, merchant } from "../support/world.ts";

/** A business with ten pieces of a product of 25.00, and its merchant's server. */
export async function givenShopWithStock() {
  const shop = await givenBusiness();
  const product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 10);
  return { shop, product, ask: merchant(shop) };
}

/** What an answer is that a rule of the domain refused. */
export const rule = (name: string) => ({
  status: 422,
  body: { error: { context: { rule: name } } },
});
