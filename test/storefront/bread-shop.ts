import { beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";

export const cash = (cartId: string, fields = {}) => ({
  cart_id: cartId,
  customer: { name: "Ama Serwaa", email: "Ama@Example.com" },
  payment_method: "cash",
  ...fields,
});

export const mobileMoney = (cartId: string, phone: string) =>
  cash(cartId, {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: phone, provider: "MTN MoMo" },
  });

/** For each test of the file: a shop that has ten loaves of bread, and a shopper who buys some. */
export function breadShop() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;
  let product: Product;

  beforeEach(async () => {
    shop = await givenBusiness();
    caller = shopper(shop);
    product = await givenProduct(shop, {
      name: "Bread",
      defaultPriceMinor: 2_500,
      inventoryType: "tracked",
    });
    await givenStock(shop, product, 10);
  });

  const ask: typeof caller = (...request) => caller(...request);

  return {
    shop: () => shop,
    product: () => product,
    ask,
    /** The id of the cart. */
    filledCart: async (by: typeof ask, quantity = 2): Promise<string> =>
      dataOf(await by("POST", "/cart/items", { body: { item_id: product.id, quantity } })).id,
    checkout: (body: unknown, key?: string) =>
      ask("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      }),
    stock: async () => {
      const [row] = await rowsOf(
        shop,
        "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
        product.id,
      );
      return row;
    },
    ordersOf: () => rowsOf(shop, "select * from orders where business_id = ?", shop.business.id),
  };
}
