import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  archiveCollection,
  createCategory,
  createCollection,
  type Product,
  updateCollection,
  updateProduct,
} from "../../shared/catalogue/index.ts";
import { updateDeal } from "../../shared/deals/index.ts";
import { at, book, givenService, givenShop, had } from "../bookings/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
let other: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  product = await givenProduct(shop, { tags: ["new", "red"] });
  other = await givenProduct(shop);
});

const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };

async function givenCollection(...productIds: string[]): Promise<string> {
  const made = { ...fields, name: "Collection", members: { productIds, rule: null } };
  return (await createCollection(contextFor(shop), made)).collection.id;
}

const given = (scope: "collection" | "category", id: string, more = {}) =>
  givenDeal(shop, { appliesTo: { scope, ids: [id] }, ...more });

/**
 * What the next write of the cart takes off, `later` by so many milliseconds. Another product is read
 * before, so that the catalogue's version is known and the product is remembered where it still counts.
 */
async function discountOfWrite(later = 0): Promise<string> {
  vi.setSystemTime(Date.now() + later);
  await ask("POST", "/cart/items", { body: { item_id: other.id, quantity: 1 } });
  const body = { item_id: product.id, quantity: 1 };
  const cart = dataOf(await ask("POST", "/cart/items", { body }));
  await ask("DELETE", "/cart");
  return cart.pricing.discount_total;
}

it("a collection's change is the merchant's at once and the carts' within 5 s", async () => {
  const id = await givenCollection();
  await given("collection", id);
  expect(await discountOfWrite()).toBe("0.00");
  const asMerchant = (body: object) => merchant(shop)("PATCH", `/collections/${id}`, { body });
  const shown = async () => dataOf(await merchant(shop)("GET", `/collections/${id}`)).product_count;
  for (const [body, discount] of [
    [{ product_ids: [product.id] }, "1.00"],
    [{ rule: { tags: ["old"] } }, "0.00"],
    [{ rule: { tags: ["red"] } }, "1.00"],
    [{ rule: { tags: ["new", "blue"] } }, "0.00"],
    [{ rule: { tags: ["red", "new"] } }, "1.00"],
  ] as const) {
    await asMerchant(body);
    expect(await shown()).toBe(discount === "1.00" ? 1 : 0);
    expect(await discountOfWrite(5_001)).toBe(discount);
  }
  await updateProduct(contextFor(shop), product.id, { tags: ["red"] });
  expect(await discountOfWrite(5_001)).toBe("0.00");
  await updateProduct(contextFor(shop), product.id, { tags: ["new", "red"] });
  expect(await discountOfWrite(5_001)).toBe("1.00");
  await archiveCollection(contextFor(shop), id);
  expect(await discountOfWrite(5_001)).toBe("0.00");
});

it("a deal that is the first for any group is in carts within 5 s, and one that begins by itself", async () => {
  const id = await givenCollection(product.id);
  expect(await discountOfWrite()).toBe("0.00");
  const deal = await given("collection", id, { startsAt: Date.now() + 7_000 });
  expect(await discountOfWrite(5_001)).toBe("0.00");
  expect(await discountOfWrite(2_000)).toBe("1.00"); // remembered, since nothing was written
  await updateDeal(contextFor(shop), deal.id, { endsAt: Date.now() + 7_000 });
  expect(await discountOfWrite(5_001)).toBe("1.00");
  expect(await discountOfWrite(2_000)).toBe("0.00");
});

it("a coupon for a collection needs no product anew", async () => {
  await given("collection", await givenCollection(product.id), { code: "RED" });
  await given("collection", await givenCollection(other.id), { code: "OTHER" });
  await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } });
  const apply = (coupon_code: string) => ask("POST", "/cart/coupons", { body: { coupon_code } });
  const applied = await apply("RED");
  expect(dataOf(applied).pricing.discount_total).toBe("2.00");
  expect(roundTrips(applied).d1).toBeLessThanOrEqual(1);
  expect(await apply("OTHER")).toMatchObject({
    status: 422,
    body: { error: { context: { rule: "COUPON_INVALID" } } },
  });
});

it("a part of a bundle that is in a collection is that by itself as well, once a cart remembers it", async () => {
  const id = await givenCollection(product.id);
  await given("collection", id);
  const components = [{ name: "Part", product_id: product.id, quantity: 1, is_swappable: false }];
  const made = await merchant(shop)("POST", "/bundles", {
    body: { name: "Box", default_price: "30", components, pricing: { type: "fixed" } },
  });
  const { product_id } = dataOf(made);
  const body = { item_id: product_id, quantity: 1 };
  expect(dataOf(await ask("POST", "/cart/items", { body })).pricing.discount_total).toBe("0.00");
  expect(await discountOfWrite()).toBe("1.00");
});

it("an order has what its cart had, for a category above and for a collection", async () => {
  const above = await createCategory(contextFor(shop), {
    ...fields,
    name: "Drinks",
    parentId: null,
  });
  const own = await createCategory(contextFor(shop), {
    ...fields,
    name: "Tea",
    parentId: above.id,
  });
  await updateProduct(contextFor(shop), product.id, { categoryId: own.id });
  const collection = await givenCollection();
  await given("category", above.id, { name: "Drinks week", value: "20" });
  await given("collection", collection, { name: "New things", value: "30" });
  const bought = async () => {
    const { id } = await givenSale(shop, product.id, { how: "cash", ask });
    const orders = await rowsOf(
      shop,
      `select orders.discount_total_minor as off, (select count(*) from deal_redemptions as used
         where used.order_id = orders.id) as uses from orders where id = ?`,
      id,
    );
    return orders[0];
  };
  expect(await bought()).toEqual({ off: 400, uses: 1 });
  await updateCollection(contextFor(shop), collection, {
    members: { productIds: [product.id], rule: null },
  });
  vi.setSystemTime(Date.now() + 5_001);
  expect(await bought()).toEqual({ off: 600, uses: 1 });
});

it("a booked service is in its groups like any product", async () => {
  const open = await givenShop();
  const service = await givenService(open, { tags: ["calm", "warm"] });
  const made = { ...fields, name: "Calm", members: { productIds: null, rule: { tags: ["calm"] } } };
  const { collection } = await createCollection(contextFor(open), made);
  await givenDeal(open, { appliesTo: { scope: "collection", ids: [collection.id] } });
  const cart = await had(book(shopper(open), service, at(9)));
  expect(cart.pricing).toMatchObject({ subtotal: "80.00", discount_total: "8.00" });
});
