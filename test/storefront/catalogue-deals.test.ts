import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

const validate = (discount_code: string, order_subtotal = "50.00", fields = {}) =>
  ask("POST", "/catalogue/deals/validate", {
    body: { discount_code, order_subtotal, ...fields },
  });

const createCategory = (name: string, parentId: string | null = null) =>
  merchantCatalogue.createCategory(contextFor(shop), {
    name,
    parentId,
    slug: null,
    description: "",
    imageUrl: null,
    sortOrder: 0,
    metadata: {},
  });

describe("POST /catalogue/deals/validate", () => {
  it("calculates the discount of a code", async () => {
    const deal = await createDeal(shop, { code: "Tenth", value: "12.5", maxDiscountMinor: 600 });
    expect(await validate(" tenth", "40")).toMatchObject({
      status: 200,
      body: {
        data: {
          is_valid: true,
          reason: null,
          discount_amount: "5.00",
          final_subtotal: "35.00",
          requires_cart: false,
          deal: { id: deal.id, code: "Tenth", times_redeemed: 0 },
        },
      },
    });
    expect(await validate("TENTH", "1000")).toMatchObject({
      body: { data: { discount_amount: "6.00", final_subtotal: "994.00" } },
    });
  });

  it.each([
    { reason: "COUPON_INVALID", fields: { isActive: false }, isShown: false },
    { reason: "COUPON_INVALID", fields: { code: "ELSE" }, isShown: false },
    { reason: "COUPON_NOT_STARTED", fields: { startsAt: Date.now() + hour }, isShown: true },
    { reason: "COUPON_EXPIRED", fields: { endsAt: Date.now() - 1 }, isShown: true },
    { reason: "COUPON_MIN_NOT_MET", fields: { minOrderSubtotalMinor: 5_001 }, isShown: true },
    { reason: "COUPON_EXHAUSTED", fields: { usageLimit: 1 }, isShown: true },
  ])("responds 200 with $reason", async ({ reason, fields, isShown }) => {
    const { id } = await createDeal(shop, { code: "CODE", ...fields });
    if (reason === "COUPON_EXHAUSTED") {
      await selectRows(shop, "update deals set times_redeemed = 1 where id = ? returning id", id);
    }
    const answer = await validate("CODE");
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          is_valid: false,
          reason,
          discount_amount: "0.00",
          final_subtotal: "50.00",
          deal: isShown ? { id } : null,
        },
      },
    });
  });

  describe("with a cart", () => {
    const fillCart = async (fields: object = {}, quantity = 3) => {
      const tea = await createProduct(shop, fields);
      const body = { item_id: tea.id, quantity };
      expect(await ask("POST", "/cart/items", { body })).toMatchObject({ status: 200 });
      return tea;
    };
    const applyCode = (coupon_code: string) =>
      ask("POST", "/cart/coupons", { body: { coupon_code } });

    it("calculates the discount on its lines for any subtotal", async () => {
      const tea = await fillCart();
      await fillCart({ name: "Bread" }, 1);
      await createDeal(shop, { code: "TEA", appliesTo: { scope: "product", ids: [tea.id] } });
      await createDeal(shop, { discountType: "fixed_amount", value: "4" });
      const answer = await validate("tea", "1.00");
      expect(answer).toMatchObject({
        body: {
          data: {
            is_valid: true,
            reason: null,
            discount_amount: "2.70",
            final_subtotal: "33.30",
            requires_cart: false,
            deal: { code: "TEA" },
          },
        },
      });
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
      const pricing = { discount_total: "6.70", total_price: "33.30" };
      expect(await applyCode("TEA")).toMatchObject({ body: { data: { pricing } } });
    });

    it.each([
      { name: "covers other products only", fields: { ids: ["prod_x"] }, quantity: 5 },
      { name: "needs a larger order", fields: { minimum: 5_001 }, quantity: 5 },
    ])("is invalid where the cart refuses a code that $name", async ({ fields, quantity }) => {
      await fillCart({}, quantity);
      const other = await createProduct(shop);
      await createDeal(shop, {
        code: "CODE",
        minOrderSubtotalMinor: fields.minimum ?? null,
        ...(fields.ids && { appliesTo: { scope: "product", ids: [other.id] } }),
      });
      const answer = await validate("CODE", "1000.00");
      const { reason } = Object(answer.body).data;
      expect(answer).toMatchObject({
        body: { data: { is_valid: false, discount_amount: "0.00", final_subtotal: "50.00" } },
      });
      expect(await applyCode("CODE")).toMatchObject({
        status: 422,
        body: { error: { context: { rule: reason } } },
      });
    });

    it("changes nothing in the cart", async () => {
      await fillCart();
      await createDeal(shop, { code: "CODE" });
      const before = await ask("GET", "/cart");
      await validate("CODE");
      expect((await ask("GET", "/cart")).body).toEqual(before.body);
    });
  });

  it.each(["no session", "an empty cart"])(
    "says that a deal of some products requires a cart, with %s",
    async (session) => {
      const tea = await createProduct(shop);
      await createDeal(shop, { code: "TEA", appliesTo: { scope: "product", ids: [tea.id] } });
      if (session === "an empty cart") {
        await ask("POST", "/cart/items", { body: { item_id: tea.id } });
        await ask("DELETE", "/cart");
      }
      expect(await validate("TEA")).toMatchObject({
        body: {
          data: {
            is_valid: true,
            reason: null,
            discount_amount: null,
            final_subtotal: null,
            requires_cart: true,
          },
        },
      });
    },
  );

  it("refuses an unknown location, and names invalid fields", async () => {
    await createDeal(shop, { code: "CODE" });
    expect(await validate("CODE", "50", { location_id: "loc_x" })).toMatchObject({ status: 404 });
    expect(await validate("CODE", "-1")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "order_subtotal" } } },
    });
    expect(await validate("", "1")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "discount_code" } } },
    });
  });

  it("treats another business's code as unknown", async () => {
    await createDeal(await createBusiness(), { code: "THEIRS" });
    expect(await validate("THEIRS")).toMatchObject({
      body: { data: { reason: "COUPON_INVALID" } },
    });
  });
});

describe("GET /catalogue/categories/{category_id}/deals", () => {
  it("lists the active deals of the category and of its ancestors", async () => {
    const parent = await createCategory("Drinks");
    const own = await createCategory("Tea", parent.id);
    const other = await createCategory("Bread");
    const createCategoryDeal = (id: string, fields = {}) =>
      createDeal(shop, { appliesTo: { scope: "category", ids: [id] }, ...fields });
    const active = [
      await createCategoryDeal(parent.id),
      await createCategoryDeal(own.id, { code: "TEA" }),
    ];
    await createCategoryDeal(other.id);
    await createCategoryDeal(own.id, { isActive: false });
    await createCategoryDeal(own.id, { endsAt: Date.now() - 1 });
    await createCategoryDeal(own.id, { startsAt: Date.now() + hour });
    await createDeal(shop);

    const answer = await ask("GET", `/catalogue/categories/${own.id}/deals`);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: active.map(({ id, code }) => ({ id, code, discount_type: "percentage" })) },
    });
    expect(Object(answer.body).data).toHaveLength(2);
    const again = await ask("GET", `/catalogue/categories/${own.id}/deals`);
    expect(again.body).toEqual(answer.body);
    expect(roundTrips(again)).toMatchObject({ d1: 0, do: 0 });
  });

  it("shows that a deal begins or ends without a database call", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { id } = await createCategory("Tea");
    const now = Date.now();
    const create = (fields: object) =>
      createDeal(shop, { appliesTo: { scope: "category", ids: [id] }, ...fields });
    const ending = await create({ endsAt: now + 2_000 });
    const starting = await create({ startsAt: now + 3_000 });
    const listAt = async (time: number) => {
      vi.setSystemTime(time);
      const answer = await ask("GET", `/catalogue/categories/${id}/deals`);
      const ids = Object(answer.body).data.map((deal: { id: string }) => deal.id);
      return { ids, d1: roundTrips(answer).d1 };
    };
    expect((await listAt(now)).ids).toEqual([ending.id]);
    expect(await listAt(now + 2_000)).toEqual({ ids: [], d1: 0 });
    expect(await listAt(now + 3_000)).toEqual({ ids: [starting.id], d1: 0 });
    await merchant(shop)("DELETE", `/deals/${starting.id}`);
    expect((await listAt(now + 8_001)).ids).toEqual([]);
  });

  it("responds 404 for an unknown category and another business's", async () => {
    const { id } = await createCategory("Drinks");
    const otherShopper = shopper(await createBusiness());
    expect(await ask("GET", "/catalogue/categories/cat_x/deals")).toMatchObject({ status: 404 });
    expect(await otherShopper("GET", `/catalogue/categories/${id}/deals`)).toMatchObject({
      status: 404,
    });
  });
});

describe("GET /catalogue/collections/{collection_id}/deals", () => {
  it("lists the active deals of the collection, and responds 404 for an unknown one", async () => {
    const { collection } = await merchantCatalogue.createCollection(contextFor(shop), {
      name: "Summer",
      slug: null,
      description: "",
      imageUrl: null,
      sortOrder: 0,
      metadata: {},
      members: { productIds: null, rule: { tags: ["summer"] } },
    });
    const { id } = collection;
    const active = await createDeal(shop, { appliesTo: { scope: "collection", ids: [id] } });
    await createDeal(shop, { appliesTo: { scope: "collection", ids: [id] }, isActive: false });
    await createDeal(shop);
    const answer = await ask("GET", `/catalogue/collections/${id}/deals`);
    expect(Object(answer.body).data).toMatchObject([{ id: active.id }]);
    expect(Object(answer.body).data).toHaveLength(1);

    const otherShopper = shopper(await createBusiness());
    expect(await ask("GET", "/catalogue/collections/col_x/deals")).toMatchObject({ status: 404 });
    expect(await otherShopper("GET", `/catalogue/collections/${id}/deals`)).toMatchObject({
      status: 404,
    });
  });
});
