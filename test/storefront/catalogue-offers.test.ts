import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { at } from "../business/given.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { call, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";
import { dataOf, givenProduct } from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let other: CreatedBusiness;

const get = (path: string) => shopper(shop)("GET", `/catalogue${path}`);

const made = async (of: CreatedBusiness, path: string, body: Record<string, unknown>) =>
  String(at(await merchant(of)("POST", path, { body }), "data.id"));

beforeAll(async () => {
  shop = await givenBusiness();
  other = await givenNeighbour(shop);
});

describe("GET /catalogue/products/{product_id}/billing-plans/eligible", () => {
  let product: { id: string };
  let [anyone, many, dear]: string[] = [];

  const eligible = async (query = "") => {
    const answer = await get(`/products/${product.id}/billing-plans/eligible${query}`);
    return dataOf<{ id: string }[]>(answer).map(({ id }) => id);
  };

  beforeAll(async () => {
    const plan = { name: "Plan", interval: "week", price: "5" };
    anyone = await made(shop, "/billing-plans", plan);
    many = await made(shop, "/billing-plans", { ...plan, min_quantity: 3 });
    dear = await made(shop, "/billing-plans", { ...plan, min_order_value: "50" });
    const gone = await made(shop, "/billing-plans", plan);
    await made(shop, "/billing-plans", plan);
    const foreign = await made(other, "/billing-plans", plan);
    const billingPlanIds = [dear, gone, foreign, anyone, many];
    product = await givenProduct(shop, { billingPlanIds });
    await merchant(shop)("DELETE", `/billing-plans/${gone}`);
  });

  it("answers the product's plans whose minima are met; what is not known narrows nothing", async () => {
    expect(await eligible()).toEqual([anyone, many, dear]);
    expect(await eligible("?quantity=2")).toEqual([anyone, dear]);
    expect(await eligible("?quantity=3&order_value=49.99")).toEqual([anyone, many]);
    expect(await eligible("?quantity=1&order_value=50&customer_id=cus_1")).toEqual([anyone, dear]);
  });

  it("answers whole plans, from memory the second time", async () => {
    const path = `/products/${product.id}/billing-plans/eligible?quantity=1&order_value=1`;
    expect(dataOf(await get(path))).toEqual([
      {
        id: anyone,
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
    expect(roundTrips(await get(`${path}&customer_id=cus_2`)).d1).toBe(1);
  });

  it.each(["quantity=0", "quantity=x", "order_value=much"])("refuses %s", async (query) => {
    expect((await get(`/products/${product.id}/billing-plans/eligible?${query}`)).status).toBe(400);
  });

  it("does not find what the public cannot see, and wants a key", async () => {
    const unseen = [await givenProduct(shop, { isActive: false }), await givenProduct(other)];
    for (const id of ["prod_unknown", ...unseen.map((one) => one.id)]) {
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
  it("answers the owner's attributes in the order of creation", async () => {
    const owner = await made(shop, path, { name: "Described", ...more });
    const another = await made(shop, path, { name: "Another", ...more });
    const text = { key: "fabric", label: "Fabric", type: "text", [field]: owner };
    const first = await made(shop, "/attributes", text);
    const second = await made(shop, "/attributes", {
      key: "size",
      label: "Size",
      type: "select",
      values: ["S", "L"],
      unit: "EU",
      is_filterable: true,
      [field]: owner,
    });
    await made(shop, "/attributes", { ...text, [field]: another });
    const gone = await made(shop, "/attributes", { ...text, key: "gone" });
    await merchant(shop)("DELETE", `/attributes/${gone}`);
    const plain = { values: [], unit: null, is_filterable: false };
    const answer = await get(`${path}/${owner}/attributes`);
    expect(dataOf(answer)).toEqual([
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

  it("does not find an unknown, an archived or another business's owner, and wants a key", async () => {
    const archived = await made(shop, path, { name: "Gone", ...more });
    await merchant(shop)("DELETE", `${path}/${archived}`);
    const foreign = await made(other, path, { name: "Foreign", ...more });
    for (const id of ["unknown", archived, foreign]) {
      expect((await get(`${path}/${id}/attributes`)).status, id).toBe(404);
    }
    expect((await call("GET", `/api/v1/catalogue${path}/x/attributes`)).status).toBe(401);
  });
});
