import { describe, expect, it } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";
import { createShop, postProduct, teaFields } from "./create-product.ts";

const monthly = { name: "Monthly", interval: "month", price: "9.90" };

async function postPlan(ask: ApiClient, body: Record<string, unknown> = monthly): Promise<string> {
  const response = await ask("POST", "/billing-plans", { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return String(valueAt(response, "data.id"));
}

describe("POST /v1/businesses/{business_id}/billing-plans", () => {
  it("creates a plan in the business's currency with default values", async () => {
    const { shop, ask } = await createShop();
    await ask("GET", "/billing-plans"); // caches the key
    const response = await ask("POST", "/billing-plans", { body: monthly });
    expect(response.status).toBe(201);
    expect(response.body).toEqual(
      success({
        ...monthly,
        id: expect.stringMatching(/^bp_/),
        interval_count: 1,
        currency: "GHS",
        trial_days: 0,
        min_quantity: 1,
        min_order_value: "0.00",
      }),
    );
    expect((await ask("GET", `/billing-plans/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(roundTrips(response).d1).toBe(1);
    expect(await countBusinessRows(shop)).toMatchObject({ billing_plans: 1, version: 1 });
    expect(await listAuditActions(shop)).toEqual(["billing_plan.created"]);
  });

  it.each([
    ["name", { name: "" }],
    ["interval", { interval: "fortnight" }],
    ["interval_count", { interval_count: 0 }],
    ["price", { price: "-1" }],
    ["price", { price: "1.234" }],
    ["price", { price: undefined }],
    ["trial_days", { trial_days: -1 }],
    ["min_quantity", { min_quantity: 0 }],
    ["min_order_value", { min_order_value: "-0.01" }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/billing-plans", { body: { ...monthly, ...fields } });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({
      billing_plans: 0,
      version: 0,
      audit_entries: 0,
    });
  });

  it("rejects a key without the scope", async () => {
    const { shop, ask } = await createShop();
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("POST", "/billing-plans", { body: monthly, headers })).status).toBe(403);
    expect((await ask("GET", "/billing-plans", { headers })).status).toBe(200);
    expect(await countBusinessRows(shop)).toMatchObject({ billing_plans: 0 });
  });
});

describe("PATCH and DELETE /v1/businesses/{business_id}/billing-plans/{billing_plan_id}", () => {
  it("changes only the fields that are sent", async () => {
    const { shop, ask } = await createShop();
    const id = await postPlan(ask, { ...monthly, trial_days: 7 });
    const changed = await ask("PATCH", `/billing-plans/${id}`, {
      body: { price: "8", interval_count: 3 },
    });
    expect(changed.body).toMatchObject(
      success({ id, name: "Monthly", price: "8.00", interval_count: 3, trial_days: 7 }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/billing-plans/${id}`)).body).toEqual(changed.body);
    const before = await countBusinessRows(shop);
    const refused = await ask("PATCH", `/billing-plans/${id}`, { body: { price: "-1" } });
    expect(valueAt(refused, "error.context.field")).toBe("price");
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("archives a plan; a repeat changes nothing", async () => {
    const { shop, ask } = await createShop();
    const id = await postPlan(ask);
    const archived = await ask("DELETE", `/billing-plans/${id}`);
    expect(archived.body).toMatchObject(success({ id, ...monthly }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/billing-plans/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/billing-plans/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/billing-plans/${id}`, { body: {} })).status).toBe(404);
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "responds 404 to %s of another business's plan",
    async (method) => {
      const { shop, ask } = await createShop();
      const id = await postPlan(ask);
      const other = await createBusinessOnSameShard(shop);
      const body = method === "PATCH" ? { body: { name: "Mine" } } : {};
      expect((await merchant(other)(method, `/billing-plans/${id}`, body)).status).toBe(404);
      expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0, version: 0 });
      expect(valueAt(await ask("GET", `/billing-plans/${id}`), "data.name")).toBe("Monthly");
    },
  );
});

describe("GET /v1/businesses/{business_id}/billing-plans", () => {
  it("lists plans in the order of creation", async () => {
    const { ask } = await createShop();
    for (const name of ["A", "B", "C"]) await postPlan(ask, { ...monthly, name });
    const first = await ask("GET", "/billing-plans?limit=2");
    expect(first.body).toMatchObject(success({ items: [{ name: "A" }, { name: "B" }] }));
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    expect((await ask("GET", `/billing-plans?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({ items: [{ name: "C" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});

describe("a product's billing_plan_ids", () => {
  it("store plans of the business without duplicates", async () => {
    const { ask } = await createShop();
    const [a, b] = [await postPlan(ask), await postPlan(ask)];
    const { id, response } = await postProduct(ask, {
      ...teaFields,
      billing_plan_ids: [b, a, b],
    });
    expect(valueAt(response, "data.billing_plan_ids")).toEqual([b, a]);
    const changed = await ask("PATCH", `/products/${id}`, { body: { billing_plan_ids: [a] } });
    expect(valueAt(changed, "data.billing_plan_ids")).toEqual([a]);
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
  });

  it("reject an unknown, an archived and another business's plan, and store nothing", async () => {
    const { shop, ask } = await createShop();
    const archived = await postPlan(ask);
    const { id: holder } = await postProduct(ask, {
      ...teaFields,
      billing_plan_ids: [archived],
    });
    const { id } = await postProduct(ask, teaFields);
    await ask("DELETE", `/billing-plans/${archived}`);
    const foreign = await postPlan(merchant(await createBusinessOnSameShard(shop)));
    const before = await countBusinessRows(shop);
    for (const plan of ["bp_unknown", archived, foreign]) {
      const body = { billing_plan_ids: [plan] };
      const responses = [
        await ask("POST", "/products", { body: { ...teaFields, ...body } }),
        await ask("PATCH", `/products/${id}`, { body }),
      ];
      for (const response of responses) {
        expect(valueAt(response, "error.context.field"), plan).toBe("billing_plan_ids");
      }
    }
    expect(await countBusinessRows(shop)).toEqual(before);
    const held = { body: { name: "Still", billing_plan_ids: [archived] } };
    expect((await ask("PATCH", `/products/${holder}`, held)).status).toBe(200);
  });
});
