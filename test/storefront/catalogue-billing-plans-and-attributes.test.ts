import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { valueAt } from "../support/responses.ts";
import {
  call,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { createProductRow, requireData } from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let other: CreatedBusiness;

const get = (path: string) => shopper(shop)("GET", `/catalogue${path}`);

const createRecord = async (owner: CreatedBusiness, path: string, body: Record<string, unknown>) =>
  String(valueAt(await merchant(owner)("POST", path, { body }), "data.id"));

beforeAll(async () => {
  shop = await createBusiness();
  other = await createBusinessOnSameShard(shop);
});

describe("GET /catalogue/billing-plans", () => {
  it("lists the plans that a product is sold with, each with its products", async () => {
    const owner = await createBusiness();
    const plan = (name: string) =>
      createRecord(owner, "/billing-plans", { name, interval: "month", price: "5" });
    const [weekly, archived, unused] = [await plan("A"), await plan("B"), await plan("C")];
    const foreign = await createRecord(other, "/billing-plans", {
      ...{ name: "Foreign", interval: "week", price: "5" },
    });
    const billingPlanIds = [foreign, archived, weekly];
    const tea = await createProductRow(owner, { name: "Tea", billingPlanIds, createdAt: 2 });
    await createProductRow(owner, { name: "Milk", createdAt: 3 });
    const bread = await createProductRow(owner, { name: "Bread", billingPlanIds, createdAt: 1 });
    await createProductRow(owner, { isActive: false, billingPlanIds: [unused] });
    await createProductRow(other, { billingPlanIds: [weekly] });
    await merchant(owner)("DELETE", `/billing-plans/${archived}`);
    const answer = await shopper(owner)("GET", "/catalogue/billing-plans");
    expect(requireData(answer)).toMatchObject([
      { id: weekly, name: "A", price: "5.00", products: [{ id: tea.id }, { id: bread.id }] },
    ]);
    const repeated = await shopper(owner)("GET", "/catalogue/billing-plans");
    expect(roundTrips(repeated).d1).toBe(0);
    expect(requireData(await shopper(other)("GET", "/catalogue/billing-plans"))).toEqual([]);
  });
});

describe("GET /catalogue/products/{product_id}/billing-plans/eligible", () => {
  let product: { id: string };
  let [unrestricted, withMinQuantity, withMinValue]: string[] = [];

  const listEligible = async (query = "") => {
    const answer = await get(`/products/${product.id}/billing-plans/eligible${query}`);
    return requireData<{ id: string }[]>(answer).map(({ id }) => id);
  };

  beforeAll(async () => {
    const plan = { name: "Plan", interval: "week", price: "5" };
    unrestricted = await createRecord(shop, "/billing-plans", plan);
    withMinQuantity = await createRecord(shop, "/billing-plans", { ...plan, min_quantity: 3 });
    withMinValue = await createRecord(shop, "/billing-plans", { ...plan, min_order_value: "50" });
    const archived = await createRecord(shop, "/billing-plans", plan);
    await createRecord(shop, "/billing-plans", plan);
    const foreign = await createRecord(other, "/billing-plans", plan);
    const billingPlanIds = [withMinValue, archived, foreign, unrestricted, withMinQuantity];
    product = await createProductRow(shop, { billingPlanIds });
    await merchant(shop)("DELETE", `/billing-plans/${archived}`);
  });

  it("lists the plans whose minimums are met; omitted values exclude none", async () => {
    expect(await listEligible()).toEqual([unrestricted, withMinQuantity, withMinValue]);
    expect(await listEligible("?quantity=2")).toEqual([unrestricted, withMinValue]);
    expect(await listEligible("?quantity=3&order_value=49.99")).toEqual([
      unrestricted,
      withMinQuantity,
    ]);
    expect(await listEligible("?quantity=1&order_value=50")).toEqual([unrestricted, withMinValue]);
  });

  it("returns whole plans, the second time from the cache", async () => {
    const path = `/products/${product.id}/billing-plans/eligible?quantity=1&order_value=1`;
    expect(requireData(await get(path))).toEqual([
      {
        id: unrestricted,
        name: "Plan",
        interval: "week",
        interval_count: 1,
        price: "5.00",
        currency: "GHS",
        trial_days: 0,
        min_quantity: 1,
        min_order_value: "0.00",
      },
    ]);
    expect(roundTrips(await get(path)).d1).toBe(0);
    const ofCustomer = await get(`${path}&customer_id=cus_2`);
    expect(ofCustomer.headers.get("warning")).toContain("query.customer_id");
  });

  it.each(["quantity=0", "quantity=x", "order_value=much"])("refuses %s", async (query) => {
    expect((await get(`/products/${product.id}/billing-plans/eligible?${query}`)).status).toBe(400);
  });

  it("does not find products that are not public, and requires a key", async () => {
    const hidden = [
      await createProductRow(shop, { isActive: false }),
      await createProductRow(other),
    ];
    for (const id of ["prod_unknown", ...hidden.map(({ id }) => id)]) {
      expect((await get(`/products/${id}/billing-plans/eligible`)).status).toBe(404);
    }
    const path = `/api/v1/catalogue/products/${product.id}/billing-plans/eligible`;
    expect((await call("GET", path)).status).toBe(401);
  });
});

describe.each([
  ["categories", "/categories", "category_id", {}],
  ["collections", "/collections", "collection_id", { product_ids: [] }],
])("GET /catalogue/%s/{id}/attributes", (_what, path, field, more) => {
  it("lists the attributes, oldest first", async () => {
    const owner = await createRecord(shop, path, { name: "Described", ...more });
    const another = await createRecord(shop, path, { name: "Another", ...more });
    const text = { key: "fabric", label: "Fabric", type: "text", [field]: owner };
    const first = await createRecord(shop, "/attributes", text);
    const second = await createRecord(shop, "/attributes", {
      key: "size",
      label: "Size",
      type: "select",
      values: ["S", "L"],
      unit: "EU",
      is_filterable: true,
      [field]: owner,
    });
    await createRecord(shop, "/attributes", { ...text, [field]: another });
    const archived = await createRecord(shop, "/attributes", { ...text, key: "gone" });
    await merchant(shop)("DELETE", `/attributes/${archived}`);
    const plain = { values: [], unit: null, is_filterable: false };
    const answer = await get(`${path}/${owner}/attributes`);
    expect(requireData(answer)).toEqual([
      { id: first, key: "fabric", label: "Fabric", type: "text", ...plain },
      {
        id: second,
        key: "size",
        label: "Size",
        type: "select",
        values: ["S", "L"],
        unit: "EU",
        is_filterable: true,
      },
    ]);
    expect(roundTrips(await get(`${path}/${owner}/attributes`)).d1).toBe(0);
  });

  it("does not find unknown, archived or another business's records, and requires a key", async () => {
    const archived = await createRecord(shop, path, { name: "Gone", ...more });
    await merchant(shop)("DELETE", `${path}/${archived}`);
    const foreign = await createRecord(other, path, { name: "Foreign", ...more });
    for (const id of ["unknown", archived, foreign]) {
      expect((await get(`${path}/${id}/attributes`)).status, id).toBe(404);
    }
    expect((await call("GET", `/api/v1/catalogue${path}/x/attributes`)).status).toBe(401);
  });
});
