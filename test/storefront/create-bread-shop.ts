import { beforeEach } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, shopper } from "../support/world.ts";

export const cashCheckout = (cartId: string, fields = {}) => ({
  cart_id: cartId,
  customer: { name: "Ama Serwaa", email: "Ama@Example.com" },
  payment_method: "cash",
  ...fields,
});

export const mobileMoneyCheckout = (cartId: string, phone: string) =>
  cashCheckout(cartId, {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: phone, provider: "MTN MoMo" },
  });

/** Creates a shop with ten loaves of bread and a shopper before each test. */
export function setUpBreadShop() {
  let shop: CreatedBusiness;
  let caller: ReturnType<typeof shopper>;
  let product: Product;

  beforeEach(async () => {
    shop = await createBusiness();
    caller = shopper(shop);
    product = await createProduct(shop, {
      name: "Bread",
      defaultPriceMinor: 2_500,
      inventoryType: "tracked",
    });
    await setStock(shop, product, 10);
  });

  const ask: typeof caller = (...request) => caller(...request);

  return {
    shop: () => shop,
    product: () => product,
    ask,
    /** Adds bread to a cart and returns the cart's id. */
    createCart: async (by: typeof ask, quantity = 2): Promise<string> =>
      dataOf(await by("POST", "/cart/items", { body: { item_id: product.id, quantity } })).id,
    checkout: (body: unknown, key?: string) =>
      ask("POST", "/checkout", {
        body,
        ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
      }),
    stock: async () => {
      const [row] = await selectRows(
        shop,
        "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
        product.id,
      );
      return row;
    },
    ordersOf: () =>
      selectRows(shop, "select * from orders where business_id = ?", shop.business.id),
  };
}
