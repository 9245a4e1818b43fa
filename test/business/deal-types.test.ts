import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let productId: string;
let categoryId: string;
let collectionId: string;
let groupId: string;
let foreignGroupId: string;

beforeAll(async () => {
  // The tests are quicker than the calls that a key may make in a second.
  shop = await createBusiness();
  ask = merchant(shop);
  productId = (await createProduct(shop)).id;
  const post = async (path: string, body: object, to = ask) =>
    String(dataOf(await to("POST", path, { body })).id);
  categoryId = await post("/categories", { name: "Tea" });
  collectionId = await post("/collections", { name: "Summer", product_ids: [productId] });
  groupId = await post("/customer-groups", { name: "VIP" });
  const other = merchant(await createBusinessOnSameShard(shop));
  foreignGroupId = await post("/customer-groups", { name: "Theirs" }, other);
});

const create = (body: object) => ask("POST", "/deals", { body: { name: "Summer", ...body } });
const change = (id: string, body: object) => ask("PATCH", `/deals/${id}`, { body });

const wholeOrder = { scope: "order", ids: [] };
const noTerms = {
  value: null,
  buy_quantity: null,
  buy_scope: null,
  get_quantity: null,
  get_scope: null,
  percent: null,
  max_uses_per_order: null,
  tiers: null,
};
const twoForOne = () => ({
  discount_type: "buy_x_get_y",
  buy_quantity: 2,
  buy_scope: { scope: "category", ids: [categoryId] },
  get_quantity: 1,
  get_scope: { scope: "collection", ids: [collectionId] },
  percent: "50",
});
const tiered = {
  discount_type: "tiered",
  tiers: [
    { min_quantity: 10, percent: "20" },
    { min_quantity: 5, percent: "7.5" },
  ],
};

const targetsOf = async (dealId: string) =>
  selectRows(
    shop,
    "select scope, target_id from deal_targets where deal_id = ? order by scope",
    dealId,
  );

describe("the deals of the business API", () => {
  it("have the fields of their type, and can be written back as they are read", async () => {
    const bodies = [
      { discount_type: "free_delivery" },
      { ...tiered, applies_to: { scope: "product", ids: [productId] } },
      twoForOne(),
      { ...twoForOne(), max_uses_per_order: 3, get_scope: wholeOrder, buy_scope: wholeOrder },
    ];
    const expected = [
      {},
      { tiers: [tiered.tiers[1], tiered.tiers[0]] },
      { ...twoForOne(), max_uses_per_order: 1 },
      { ...twoForOne(), max_uses_per_order: 3, get_scope: wholeOrder, buy_scope: wholeOrder },
    ];
    for (const [at, body] of bodies.entries()) {
      const created = await create(body);
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      const deal = dataOf(created);
      expect(deal).toMatchObject({
        ...noTerms,
        applies_to: wholeOrder,
        ...body,
        ...expected[at],
        combines_with: null,
        customer_group_ids: null,
      });
      expect(dataOf(await ask("GET", `/deals/${deal.id}`))).toEqual(deal);
      const { id, times_redeemed: _, ...fields } = deal;
      const written = await change(id, fields);
      expect(dataOf(written)).toEqual(deal);
      expect(roundTrips(written).d1).toBe(2);
    }
  });

  it("name the categories and collections of both scopes as their targets", async () => {
    const { id } = dataOf(await create(twoForOne()));
    const both = [
      { scope: "category", target_id: categoryId },
      { scope: "collection", target_id: collectionId },
    ];
    expect(await targetsOf(id)).toEqual(both);
    await change(id, { buy_scope: { scope: "product", ids: [productId] } });
    expect(await targetsOf(id)).toEqual(both.slice(1));
    await change(id, { discount_type: "percentage", value: "5" });
    expect(await targetsOf(id)).toEqual([]);
  });

  it("change their type with the fields of the new one", async () => {
    const { id } = dataOf(await create(twoForOne()));
    for (const [body, field] of [
      [{ discount_type: "tiered" }, "tiers"],
      [{ discount_type: "percentage" }, "value"],
      [{ value: "5" }, "value"],
      [{ percent: null }, "percent"],
      [{ applies_to: { scope: "product", ids: [productId] } }, "applies_to"],
    ] as const)
      expect(await change(id, body)).toMatchObject({
        status: 400,
        body: { error: { context: { field } } },
      });
    expect(dataOf(await change(id, { percent: "100" }))).toMatchObject({
      ...twoForOne(),
      percent: "100",
    });
    expect(dataOf(await change(id, { discount_type: "fixed_amount", value: "5" }))).toMatchObject({
      ...noTerms,
      value: "5.00",
      applies_to: wholeOrder,
    });
    expect(dataOf(await change(id, { discount_type: "free_delivery" }))).toMatchObject(noTerms);
  });

  it("say what they combine with and which groups may use them", async () => {
    const created = await create({
      discount_type: "percentage",
      value: "5",
      combines_with: ["order", "delivery", "order"],
      customer_group_ids: [groupId, groupId],
    });
    const deal = dataOf(created);
    expect(deal).toMatchObject({
      combines_with: ["order", "delivery"],
      customer_group_ids: [groupId],
    });
    await ask("DELETE", `/customer-groups/${groupId}`);
    expect(await change(deal.id, { customer_group_ids: [groupId] })).toMatchObject({ status: 200 });
    const open = await change(deal.id, { customer_group_ids: [], combines_with: [] });
    expect(dataOf(open)).toMatchObject({ customer_group_ids: null, combines_with: [] });
    const again = await change(deal.id, { customer_group_ids: [groupId], combines_with: null });
    expect(again).toMatchObject({
      status: 400,
      body: { error: { context: { field: "customer_group_ids" } } },
    });
  });

  it.each<[string, () => object]>([
    ["value", () => ({ discount_type: "free_delivery", value: "5" })],
    ["value", () => ({ discount_type: "percentage" })],
    ["value", () => ({ discount_type: "fixed_amount", value: null })],
    ["value", () => ({ ...tiered, value: "5" })],
    ["percent", () => ({ discount_type: "percentage", value: "5", percent: "5" })],
    ["tiers", () => ({ discount_type: "tiered" })],
    ["tiers", () => ({ ...tiered, tiers: [] })],
    ["tiers", () => ({ ...twoForOne(), tiers: tiered.tiers })],
    ["tiers.0.percent", () => ({ ...tiered, tiers: [{ min_quantity: 1, percent: "101" }] })],
    ["tiers.0.percent", () => ({ ...tiered, tiers: [{ min_quantity: 1, percent: "0" }] })],
    ["tiers.0.min_quantity", () => ({ ...tiered, tiers: [{ min_quantity: 0, percent: "5" }] })],
    [
      "tiers.1.min_quantity",
      () => ({ ...tiered, tiers: [tiered.tiers[0], { min_quantity: 10, percent: "30" }] }),
    ],
    ["buy_quantity", () => ({ ...twoForOne(), buy_quantity: undefined })],
    ["buy_quantity", () => ({ ...twoForOne(), buy_quantity: 0 })],
    ["get_quantity", () => ({ ...twoForOne(), get_quantity: 1.5 })],
    ["buy_scope", () => ({ ...twoForOne(), buy_scope: null })],
    ["buy_scope.scope", () => ({ ...twoForOne(), buy_scope: { scope: "shop" } })],
    ["buy_scope.ids", () => ({ ...twoForOne(), buy_scope: { scope: "product" } })],
    ["buy_scope.ids", () => ({ ...twoForOne(), buy_scope: { scope: "product", ids: ["prod_x"] } })],
    ["get_scope.ids", () => ({ ...twoForOne(), get_scope: { scope: "order", ids: ["prod_x"] } })],
    ["get_scope.ids", () => ({ ...twoForOne(), get_scope: { scope: "category", ids: ["cat_x"] } })],
    ["percent", () => ({ ...twoForOne(), percent: undefined })],
    ["percent", () => ({ ...twoForOne(), percent: "0" })],
    ["percent", () => ({ ...twoForOne(), percent: "100.5" })],
    ["max_uses_per_order", () => ({ ...twoForOne(), max_uses_per_order: 0 })],
    ["applies_to", () => ({ ...twoForOne(), applies_to: { scope: "product", ids: [productId] } })],
    ["combines_with.0", () => ({ discount_type: "free_delivery", combines_with: ["shipping"] })],
    [
      "customer_group_ids",
      () => ({ discount_type: "free_delivery", customer_group_ids: ["cgr_x"] }),
    ],
    [
      "customer_group_ids",
      () => ({ discount_type: "free_delivery", customer_group_ids: [foreignGroupId] }),
    ],
  ])("are rejected with a wrong %s", async (field, body) => {
    const count = async () =>
      selectRows(shop, "select count(*) as n from deals where business_id = ?", shop.business.id);
    const before = await count();
    const answer = await create(body());
    expect(answer, JSON.stringify(answer.body)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect(await count()).toEqual(before);
  });
});
