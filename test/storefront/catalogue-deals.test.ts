import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCategory, createCollection } from "../../shared/catalogue/index.ts";
import { givenDeal } from "../support/deals.ts";
import { rowsOf } from "../support/shop-database.ts";
import { contextFor, givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
});

const validate = (discount_code: string, order_subtotal = "50.00", fields = {}) =>
  ask("POST", "/catalogue/deals/validate", {
    body: { discount_code, order_subtotal, ...fields },
  });

const category = (name: string, parentId: string | null = null) =>
  createCategory(contextFor(shop), {
    name,
    parentId,
    slug: null,
    description: "",
    imageUrl: null,
    sortOrder: 0,
    metadata: {},
  });

describe("POST /catalogue/deals/validate", () => {
  it("says what a code takes off", async () => {
    const deal = await givenDeal(shop, { code: "Tenth", value: "12.5", maxDiscountMinor: 600 });
    expect(await validate(" tenth", "40")).toMatchObject({
      status: 200,
      body: {
        data: {
          is_valid: true,
          reason: null,
          discount_amount: "5.00",
          final_subtotal: "35.00",
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
    { reason: "COUPON_NOT_STARTED", fields: { startsAt: Date.now() + 3_600_000 }, isShown: true },
    { reason: "COUPON_EXPIRED", fields: { endsAt: Date.now() - 1 }, isShown: true },
    { reason: "COUPON_MIN_NOT_MET", fields: { minOrderSubtotalMinor: 5_001 }, isShown: true },
    { reason: "COUPON_EXHAUSTED", fields: { usageLimit: 1 }, isShown: true },
  ])("answers 200 with $reason", async ({ reason, fields, isShown }) => {
    const { id } = await givenDeal(shop, { code: "CODE", ...fields });
    if (reason === "COUPON_EXHAUSTED") {
      await rowsOf(shop, "update deals set times_redeemed = 1 where id = ? returning id", id);
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

  it("refuses a strange location, and bad fields by name", async () => {
    await givenDeal(shop, { code: "CODE" });
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

  it("does not know another business's code", async () => {
    await givenDeal(await givenBusiness(), { code: "THEIRS" });
    expect(await validate("THEIRS")).toMatchObject({
      body: { data: { reason: "COUPON_INVALID" } },
    });
  });
});

describe("GET /catalogue/categories/{category_id}/deals", () => {
  it("answers with the active deals of the category and of those above it", async () => {
    const above = await category("Drinks");
    const own = await category("Tea", above.id);
    const other = await category("Bread");
    const of = (id: string, fields = {}) =>
      givenDeal(shop, { appliesTo: { scope: "category", ids: [id] }, ...fields });
    const active = [await of(above.id), await of(own.id, { code: "TEA" })];
    await of(other.id);
    await of(own.id, { isActive: false });
    await of(own.id, { endsAt: Date.now() - 1 });
    await of(own.id, { startsAt: Date.now() + 3_600_000 });
    await givenDeal(shop);

    const answer = await ask("GET", `/catalogue/categories/${own.id}/deals`);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: active.map(({ id, code }) => ({ id, code, discount_type: "percentage" })) },
    });
    expect(Object(answer.body).data).toHaveLength(2);
    const again = await ask("GET", `/catalogue/categories/${own.id}/deals`);
    expect(roundTrips(again)).toMatchObject({ d1: 1, do: 0 });
  });

  it("answers 404 for an unknown category and another business's", async () => {
    const { id } = await category("Drinks");
    const stranger = shopper(await givenBusiness());
    expect(await ask("GET", "/catalogue/categories/cat_x/deals")).toMatchObject({ status: 404 });
    expect(await stranger("GET", `/catalogue/categories/${id}/deals`)).toMatchObject({
      status: 404,
    });
  });
});

describe("GET /catalogue/collections/{collection_id}/deals", () => {
  it("answers with the active deals of the collection, and 404 where there is none", async () => {
    const { collection } = await createCollection(contextFor(shop), {
      name: "Summer",
      slug: null,
      description: "",
      imageUrl: null,
      sortOrder: 0,
      metadata: {},
      members: { productIds: null, rule: { tags: ["summer"] } },
    });
    const { id } = collection;
    const active = await givenDeal(shop, { appliesTo: { scope: "collection", ids: [id] } });
    await givenDeal(shop, { appliesTo: { scope: "collection", ids: [id] }, isActive: false });
    await givenDeal(shop);
    const answer = await ask("GET", `/catalogue/collections/${id}/deals`);
    expect(Object(answer.body).data).toMatchObject([{ id: active.id }]);
    expect(Object(answer.body).data).toHaveLength(1);

    const stranger = shopper(await givenBusiness());
    expect(await ask("GET", "/catalogue/collections/col_x/deals")).toMatchObject({ status: 404 });
    expect(await stranger("GET", `/catalogue/collections/${id}/deals`)).toMatchObject({
      status: 404,
    });
  });
});
