import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { createBusiness, shopper } from "../support/world.ts";

const shoppers = 24;
const stock = 7;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  product = await createProduct(shop, { inventoryType: "tracked" });
  await setStock(shop, product, stock);
});

/** A shopper with one unit in the cart, who pays when the returned function is called. */
async function createReadyShopper(payment: object) {
  const ask = shopper(shop);
  const { body } = await ask("POST", "/cart/items", { body: { item_id: product.id } });
  const cart_id = Object(body).data.id;
  return () =>
    ask("POST", "/checkout", {
      body: { cart_id, customer: { phone: "0241234567" }, ...payment },
    });
}

describe.each([
  { name: "cash", payment: { payment_method: "cash" } },
  {
    name: "mobile money",
    payment: {
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
    },
  },
])("many shoppers buying the last units by $name", ({ payment }) => {
  it("never buy more than the stock, and every order has its own number", async () => {
    const all = await Promise.all(
      Array.from({ length: shoppers }, () => createReadyShopper(payment)),
    );
    const answers = await Promise.all(all.map((pay) => pay()));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(stock);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "OUT_OF_STOCK" } } },
      });
    }
    const orders = await selectRows(
      shop,
      "select order_number from orders where business_id = ?",
      shop.business.id,
    );
    expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(stock);
    expect(
      await selectRows(
        shop,
        "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
        product.id,
      ),
    ).toEqual([{ quantity_on_hand: stock, quantity_reserved: stock }]);
    const created = (await listOutboxEventTypes(shop)).filter((type) => type === "order.created");
    expect(created).toHaveLength(stock);
  });
});
