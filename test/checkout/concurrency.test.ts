import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness, shopper } from "../support/world.ts";

const shoppers = 24;
const pieces = 7;

let shop: CreatedBusiness;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  product = await givenProduct(shop, { inventoryType: "tracked" });
  await givenStock(shop, product, pieces);
});

/** A shopper with one piece in the cart, about to pay so. */
async function readyToPay(payment: object) {
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
])("many shoppers for the last pieces, paying by $name", ({ payment }) => {
  it("never buy more than there are, and each order has a number of its own", async () => {
    const all = await Promise.all(Array.from({ length: shoppers }, () => readyToPay(payment)));
    const answers = await Promise.all(all.map((pay) => pay()));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(pieces);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "OUT_OF_STOCK" } } },
      });
    }
    const orders = await rowsOf(
      shop,
      "select order_number from orders where business_id = ?",
      shop.business.id,
    );
    expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(pieces);
    expect(
      await rowsOf(
        shop,
        "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
        product.id,
      ),
    ).toEqual([{ quantity_on_hand: pieces, quantity_reserved: pieces }]);
    const created = (await eventsOf(shop)).filter((type) => type === "order.created");
    expect(created).toHaveLength(pieces);
  });
});
