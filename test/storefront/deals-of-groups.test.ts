import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue, type Product } from "../../shared/catalogue/index.ts";
import { updateDeal } from "../../shared/deals/index.ts";
import {
  addSlotToCart,
  at,
  createBookingShop,
  createService,
  requireData,
} from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;
let other: Product;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { tags: ["new", "red"] });
  other = await createProduct(shop);
});

const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };

async function createGroupCollection(...productIds: string[]): Promise<string> {
  const input = { ...fields, name: "Collection", members: { productIds, rule: null } };
  return (await merchantCatalogue.createCollection(contextFor(shop), input)).collection.id;
}

const createGroupDeal = (scope: "collection" | "category", id: string, more = {}) =>
  createDeal(shop, { appliesTo: { scope, ids: [id] }, ...more });

/**
 * The discount after a cart write `later` milliseconds from now. Another product is added first, so
 * that the catalogue version is cached while the product may still be cached.
 */
async function writeCartDiscount(later = 0): Promise<string> {
  vi.setSystemTime(Date.now() + later);
  await ask("POST", "/cart/items", { body: { item_id: other.id, quantity: 1 } });
  const body = { item_id: product.id, quantity: 1 };
  const cart = dataOf(await ask("POST", "/cart/items", { body }));
  await ask("DELETE", "/cart");
  return cart.pricing.discount_total;
}

it("applies a changed collection immediately for the merchant and within 5 s for carts", async () => {
  const id = await createGroupCollection();
  await createGroupDeal("collection", id);
  expect(await writeCartDiscount()).toBe("0.00");
  const asMerchant = (body: object) => merchant(shop)("PATCH", `/collections/${id}`, { body });
  const readProductCount = async () =>
    dataOf(await merchant(shop)("GET", `/collections/${id}`)).product_count;
  for (const [body, discount] of [
    [{ product_ids: [product.id] }, "1.00"],
    [{ rule: { tags: ["old"] } }, "0.00"],
    [{ rule: { tags: ["red"] } }, "1.00"],
    [{ rule: { tags: ["new", "blue"] } }, "0.00"],
    [{ rule: { tags: ["red", "new"] } }, "1.00"],
  ] as const) {
    await asMerchant(body);
    expect(await readProductCount()).toBe(discount === "1.00" ? 1 : 0);
    expect(await writeCartDiscount(5_001)).toBe(discount);
  }
  await merchantCatalogue.updateProduct(contextFor(shop), product.id, { tags: ["red"] });
  expect(await writeCartDiscount(5_001)).toBe("0.00");
  await merchantCatalogue.updateProduct(contextFor(shop), product.id, { tags: ["new", "red"] });
  expect(await writeCartDiscount(5_001)).toBe("1.00");
  await merchantCatalogue.archiveCollection(contextFor(shop), id);
  expect(await writeCartDiscount(5_001)).toBe("0.00");
});

it("applies the first deal for a group within 5 s, and a scheduled one", async () => {
  const id = await createGroupCollection(product.id);
  expect(await writeCartDiscount()).toBe("0.00");
  const deal = await createGroupDeal("collection", id, { startsAt: Date.now() + 7_000 });
  expect(await writeCartDiscount(5_001)).toBe("0.00");
  expect(await writeCartDiscount(2_000)).toBe("1.00"); // cached, because nothing was written
  await updateDeal(contextFor(shop), deal.id, { endsAt: Date.now() + 7_000 });
  expect(await writeCartDiscount(5_001)).toBe("1.00");
  expect(await writeCartDiscount(2_000)).toBe("0.00");
});

it("applies a coupon for a collection without reading products again", async () => {
  await createGroupDeal("collection", await createGroupCollection(product.id), { code: "RED" });
  await createGroupDeal("collection", await createGroupCollection(other.id), { code: "OTHER" });
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

it("covers a bundle component that is in a collection on its own", async () => {
  const id = await createGroupCollection(product.id);
  await createGroupDeal("collection", id);
  const components = [{ name: "Part", product_id: product.id, quantity: 1, is_swappable: false }];
  const input = await merchant(shop)("POST", "/bundles", {
    body: { name: "Box", default_price: "30", components, pricing: { type: "fixed" } },
  });
  const { product_id } = dataOf(input);
  const body = { item_id: product_id, quantity: 1 };
  expect(dataOf(await ask("POST", "/cart/items", { body })).pricing.discount_total).toBe("0.00");
  expect(await writeCartDiscount()).toBe("1.00");
});

it("gives an order the same discounts as its cart", async () => {
  const above = await merchantCatalogue.createCategory(contextFor(shop), {
    ...fields,
    name: "Drinks",
    parentId: null,
  });
  const own = await merchantCatalogue.createCategory(contextFor(shop), {
    ...fields,
    name: "Tea",
    parentId: above.id,
  });
  await merchantCatalogue.updateProduct(contextFor(shop), product.id, { categoryId: own.id });
  const collection = await createGroupCollection();
  await createGroupDeal("category", above.id, { name: "Drinks week", value: "20" });
  await createGroupDeal("collection", collection, { name: "New things", value: "30" });
  const placeOrder = async () => {
    const { id } = await createOrder(shop, product.id, { payWith: "cash", ask });
    const orders = await selectRows(
      shop,
      `select orders.discount_total_minor as off, (select count(*) from deal_redemptions as used
         where used.order_id = orders.id) as uses from orders where id = ?`,
      id,
    );
    return orders[0];
  };
  expect(await placeOrder()).toEqual({ off: 400, uses: 1 });
  await merchantCatalogue.updateCollection(contextFor(shop), collection, {
    members: { productIds: [product.id], rule: null },
  });
  vi.setSystemTime(Date.now() + 5_001);
  expect(await placeOrder()).toEqual({ off: 600, uses: 1 });
});

it("covers booked services like products", async () => {
  const open = await createBookingShop();
  const service = await createService(open, { tags: ["calm", "warm"] });
  const input = {
    ...fields,
    name: "Calm",
    members: { productIds: null, rule: { tags: ["calm"] } },
  };
  const { collection } = await merchantCatalogue.createCollection(contextFor(open), input);
  await createDeal(open, { appliesTo: { scope: "collection", ids: [collection.id] } });
  const cart = await requireData(addSlotToCart(shopper(open), service, at(9)));
  expect(cart.pricing).toMatchObject({ subtotal: "80.00", discount_total: "8.00" });
});
