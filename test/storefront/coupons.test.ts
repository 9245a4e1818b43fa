import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue, type Product } from "../../shared/catalogue/index.ts";
import { archiveDeal, updateDeal } from "../../shared/deals/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { changeSettings } from "../support/settings.ts";
import {
  type ApiResponse,
  contextFor,
  createBusiness,
  dataOf,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 1_250 });
});

const add = (item = product, quantity = 4) =>
  ask("POST", "/cart/items", { body: { item_id: item.id, quantity } });

const apply = (code: string, headers = {}) =>
  ask("POST", "/cart/coupons", { body: { coupon_code: code }, headers });

const later = () => vi.setSystemTime(Date.now() + 6_000);

const refusal = (rule: string) => ({
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule } } },
});

describe("POST /cart/coupons", () => {
  it("deducts the coupon, ignoring case, and taxes the remainder", async () => {
    await changeSettings(shop, { tax: { ratePercent: "15", isInclusive: false } });
    const deal = await createDeal(shop, { code: "Welcome10", name: "Welcome" });
    await add();
    const answer = await apply(" welcome10 ");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          coupon: {
            code: "Welcome10",
            deal_id: deal.id,
            name: "Welcome",
            discount_type: "percentage",
            value: "10",
          },
          pricing: {
            subtotal: "50.00",
            discount_total: "5.00",
            tax_total: "6.75",
            total_price: "51.75",
          },
        },
      },
    });
    expect((await ask("GET", "/cart")).body).toEqual(answer.body);
    expect(await ask("GET", "/cart/total")).toMatchObject({ body: { data: "51.75" } });
  });

  it.each([
    { rule: "COUPON_INVALID", fields: { isActive: false } },
    { rule: "COUPON_INVALID", fields: { code: "OTHER" } },
    { rule: "COUPON_NOT_STARTED", fields: { startsAt: Date.now() + 3_600_000 } },
    { rule: "COUPON_EXPIRED", fields: { endsAt: Date.now() - 1 } },
    { rule: "COUPON_MIN_NOT_MET", fields: { minOrderSubtotalMinor: 5_001 } },
  ])("rejects with $rule and keeps the earlier coupon", async ({ rule, fields }) => {
    await createDeal(shop, { code: "FIRST" });
    await createDeal(shop, { code: "SECOND", ...fields });
    await add();
    await apply("FIRST");
    const before = await ask("GET", "/cart");
    expect(await apply("SECOND")).toMatchObject(refusal(rule));
    expect((await ask("GET", "/cart")).body).toEqual(before.body);
  });

  it("rejects a coupon for other products or of another business", async () => {
    const other = await createProduct(shop);
    await createDeal(shop, { code: "OTHER", appliesTo: { scope: "product", ids: [other.id] } });
    await createDeal(await createBusiness(), { code: "THEIRS" });
    await add();
    expect(await apply("OTHER")).toMatchObject(refusal("COUPON_INVALID"));
    expect(await apply("THEIRS")).toMatchObject(refusal("COUPON_INVALID"));
    expect(dataOf(await ask("GET", "/cart")).coupon).toBeNull();
  });

  it("replaces the earlier coupon", async () => {
    await createDeal(shop, { code: "FIRST" });
    await createDeal(shop, { code: "SECOND", discountType: "fixed_amount", value: "60" });
    await add();
    await apply("FIRST");
    expect(await apply("SECOND")).toMatchObject({
      body: {
        data: {
          coupon: { code: "SECOND", discount_type: "fixed_amount", value: "60.00" },
          pricing: { discount_total: "50.00", total_price: "0.00" },
        },
      },
    });
  });

  it.each([{}, { coupon_code: "" }, { coupon_code: "a\u0000b" }, { coupon_code: 5 }])(
    "rejects the body %j with its field",
    async (body) => {
      expect(await ask("POST", "/cart/coupons", { body })).toMatchObject({
        status: 400,
        body: { error: { context: { field: "coupon_code" } } },
      });
    },
  );

  it("replays a repeated Idempotency-Key byte for byte", async () => {
    await createDeal(shop, { code: "ONCE" });
    await add();
    const key = { "Idempotency-Key": "coupon-1" };
    const first = await apply("ONCE", key);
    await ask("DELETE", "/cart/coupons/current");
    const again = await apply("ONCE", key);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(dataOf(await ask("GET", "/cart")).coupon).toBeNull();
  });

  it("stays within its round-trip budget: none warm, two cold, none to read", async () => {
    await createDeal(shop, { code: "CHEAP" });
    await add();
    await apply("CHEAP");
    expect(roundTrips(await apply("CHEAP"))).toMatchObject({ d1: 0, do: 1 });
    expect(roundTrips(await add())).toMatchObject({ d1: 0, do: 1 });
    expect(roundTrips(await ask("GET", "/cart"))).toMatchObject({ d1: 0, do: 1 });
    later();
    expect(roundTrips(await apply("CHEAP"))).toMatchObject({ d1: 2, do: 1 }); // the key is one of them
    later();
    expect(roundTrips(await add())).toMatchObject({ d1: 2, do: 1 });
  });
});

describe("a coupon in the cart", () => {
  let cookie: string;

  beforeEach(async () => {
    await createDeal(shop, { code: "MIN50", minOrderSubtotalMinor: 5_000 });
    cookie = (await add()).headers.get("set-cookie") ?? "";
    await apply("MIN50");
  });

  const couponOf = async () => dataOf(await ask("GET", "/cart")).coupon;
  const lineId = async () => dataOf(await ask("GET", "/cart/items"))[0].id;

  it("is removed by the write after which it no longer applies", async () => {
    const answer = await ask("PATCH", `/cart/items/${await lineId()}`, { body: { quantity: 3 } });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { coupon: null, pricing: { discount_total: "0.00", total_price: "37.50" } } },
    });
  });

  it("stays in an empty cart and applies to the next line", async () => {
    expect(await ask("DELETE", `/cart/items/${await lineId()}`)).toMatchObject({
      body: { data: { items: [], coupon: { code: "MIN50" }, pricing: { total_price: "0.00" } } },
    });
    expect(await add()).toMatchObject({ body: { data: { pricing: { discount_total: "5.00" } } } });
  });

  it("is removed by DELETE /cart", async () => {
    expect(await ask("DELETE", "/cart")).toMatchObject({ body: { data: { coupon: null } } });
    expect(await add()).toMatchObject({ body: { data: { pricing: { discount_total: "0.00" } } } });
  });

  it("is removed by DELETE /cart/coupons/current, which can be repeated", async () => {
    for (const _ of [1, 2]) {
      expect(await ask("DELETE", "/cart/coupons/current")).toMatchObject({
        status: 200,
        body: { data: { coupon: null, pricing: { discount_total: "0.00", total_price: "50.00" } } },
      });
    }
  });

  it("is removed by the next write after its deal was archived", async () => {
    const { deal_id } = await couponOf();
    await archiveDeal(contextFor(shop), deal_id);
    later();
    expect(await add()).toMatchObject({ body: { data: { coupon: null } } });
  });

  it("survives an eviction with its discount", async () => {
    const before = await ask("GET", "/cart");
    const payload = cookie.split(".")[1] ?? "";
    const { sub } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    await evictDurableObject(env.CART_SESSION.getByName(sub));
    expect((await ask("GET", "/cart")).body).toEqual(before.body);
  });
});

describe("automatic deals", () => {
  const discountOf = async (answer: Promise<ApiResponse>) =>
    dataOf(await answer).pricing.discount_total;

  it("apply the best one, then the coupon on the remainder", async () => {
    await createDeal(shop, { value: "10" });
    await createDeal(shop, { value: "20", maxDiscountMinor: 800 });
    await createDeal(shop, { code: "HALF", value: "50" });
    expect(await discountOf(add())).toBe("8.00");
    expect(await discountOf(apply("HALF"))).toBe("29.00"); // 8 and half of 42
  });

  it("cover a category with its descendants only", async () => {
    const ctx = contextFor(shop);
    const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };
    const above = await merchantCatalogue.createCategory(ctx, {
      ...fields,
      name: "Drinks",
      parentId: null,
    });
    const below = await merchantCatalogue.createCategory(ctx, {
      ...fields,
      name: "Tea",
      parentId: above.id,
    });
    const tea = await createProduct(shop, { categoryId: below.id });
    await createDeal(shop, { appliesTo: { scope: "category", ids: [above.id] } });
    expect(await discountOf(add(product, 1))).toBe("0.00");
    expect(await discountOf(add(tea, 3))).toBe("3.00");
  });

  it("cover the products of manual and rule-based collections", async () => {
    const ctx = contextFor(shop);
    const [listed, tagged] = [
      await createProduct(shop),
      await createProduct(shop, { tags: ["new", "red"] }),
    ];
    const fields = { slug: null, description: "", imageUrl: null, sortOrder: 0, metadata: {} };
    const collections = [
      await merchantCatalogue.createCollection(ctx, {
        ...fields,
        name: "Listed",
        members: { productIds: [listed.id], rule: null },
      }),
      await merchantCatalogue.createCollection(ctx, {
        ...fields,
        name: "By rule",
        members: { productIds: null, rule: { tags: ["new", "red"] } },
      }),
      await merchantCatalogue.createCollection(ctx, {
        ...fields,
        name: "Another rule",
        members: { productIds: null, rule: { tags: ["new"] } },
      }),
    ];
    const ids = collections.map(({ collection }) => collection.id);
    await createDeal(shop, { appliesTo: { scope: "collection", ids } });
    expect(await discountOf(add(product, 1))).toBe("0.00");
    expect(await discountOf(add(listed, 1))).toBe("1.00");
    expect(await discountOf(add(tagged, 2))).toBe("3.00");
  });

  it("are at most 5 s old", async () => {
    const deal = await createDeal(shop);
    expect(await discountOf(add())).toBe("5.00");
    await updateDeal(contextFor(shop), deal.id, { isActive: false });
    later();
    expect(await discountOf(add())).toBe("0.00");
  });
});
