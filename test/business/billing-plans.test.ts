import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";
import { created as createdProduct, shopAndAsk, tea } from "./given-product.ts";

type Ask = ReturnType<typeof merchant>;

const monthly = { name: "Monthly", interval: "month", price: "9.90" };

async function created(ask: Ask, body: Record<string, unknown> = monthly): Promise<string> {
  const answer = await ask("POST", "/billing-plans", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(at(answer, "data.id"));
}

describe("POST /v1/businesses/{business_id}/billing-plans", () => {
  it("makes a plan, in the business's currency, with what was left out", async () => {
    const { shop, ask } = await shopAndAsk();
    await ask("GET", "/billing-plans"); // the key is known from here on
    const answer = await ask("POST", "/billing-plans", { body: monthly });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(
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
    expect((await ask("GET", `/billing-plans/${at(answer, "data.id")}`)).body).toEqual(answer.body);
    expect(roundTrips(answer).d1).toBe(1);
    expect(await tracesOf(shop)).toMatchObject({ billing_plans: 1, version: 1 });
    expect(await auditedActions(shop)).toEqual(["billing_plan.created"]);
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
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask } = await shopAndAsk();
    const answer = await ask("POST", "/billing-plans", { body: { ...monthly, ...fields } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toMatchObject({ billing_plans: 0, version: 0, audit_entries: 0 });
  });

  it("refuses a key without the scope", async () => {
    const { shop, ask } = await shopAndAsk();
    const headers = { "X-API-Key": await givenKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("POST", "/billing-plans", { body: monthly, headers })).status).toBe(403);
    expect((await ask("GET", "/billing-plans", { headers })).status).toBe(200);
    expect(await tracesOf(shop)).toMatchObject({ billing_plans: 0 });
  });
});

describe("PATCH and DELETE /v1/businesses/{business_id}/billing-plans/{billing_plan_id}", () => {
  it("changes what is sent and nothing else", async () => {
    const { shop, ask } = await shopAndAsk();
    const id = await created(ask, { ...monthly, trial_days: 7 });
    const changed = await ask("PATCH", `/billing-plans/${id}`, {
      body: { price: "8", interval_count: 3 },
    });
    expect(changed.body).toMatchObject(
      success({ id, name: "Monthly", price: "8.00", interval_count: 3, trial_days: 7 }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/billing-plans/${id}`)).body).toEqual(changed.body);
    const before = await tracesOf(shop);
    const refused = await ask("PATCH", `/billing-plans/${id}`, { body: { price: "-1" } });
    expect(at(refused, "error.context.field")).toBe("price");
    expect(await tracesOf(shop)).toEqual(before);
  });

  it("archives once", async () => {
    const { shop, ask } = await shopAndAsk();
    const id = await created(ask);
    const archived = await ask("DELETE", `/billing-plans/${id}`);
    expect(archived.body).toMatchObject(success({ id, ...monthly }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/billing-plans/${id}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/billing-plans/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/billing-plans/${id}`, { body: {} })).status).toBe(404);
  });

  it.each(["GET", "PATCH", "DELETE"])("does not find another business's by %s", async (method) => {
    const { shop, ask } = await shopAndAsk();
    const id = await created(ask);
    const other = await givenNeighbour(shop);
    const body = method === "PATCH" ? { body: { name: "Mine" } } : {};
    expect((await merchant(other)(method, `/billing-plans/${id}`, body)).status).toBe(404);
    expect(await tracesOf(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect(at(await ask("GET", `/billing-plans/${id}`), "data.name")).toBe("Monthly");
  });
});

describe("GET /v1/businesses/{business_id}/billing-plans", () => {
  it("pages in the order of creation", async () => {
    const { ask } = await shopAndAsk();
    for (const name of ["A", "B", "C"]) await created(ask, { ...monthly, name });
    const first = await ask("GET", "/billing-plans?limit=2");
    expect(first.body).toMatchObject(success({ items: [{ name: "A" }, { name: "B" }] }));
    const cursor = encodeURIComponent(String(at(first, "data.pagination.next_cursor")));
    expect((await ask("GET", `/billing-plans?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({ items: [{ name: "C" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});

describe("a product's billing_plan_ids", () => {
  it("name plans of the business, each once", async () => {
    const { ask } = await shopAndAsk();
    const [a, b] = [await created(ask), await created(ask)];
    const { id, answer } = await createdProduct(ask, { ...tea, billing_plan_ids: [b, a, b] });
    expect(at(answer, "data.billing_plan_ids")).toEqual([b, a]);
    const changed = await ask("PATCH", `/products/${id}`, { body: { billing_plan_ids: [a] } });
    expect(at(changed, "data.billing_plan_ids")).toEqual([a]);
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
  });

  it("refuse an unknown, an archived and another business's plan, and leave no trace", async () => {
    const { shop, ask } = await shopAndAsk();
    const archived = await created(ask);
    const { id: holder } = await createdProduct(ask, { ...tea, billing_plan_ids: [archived] });
    const { id } = await createdProduct(ask, tea);
    await ask("DELETE", `/billing-plans/${archived}`);
    const foreign = await created(merchant(await givenNeighbour(shop)));
    const before = await tracesOf(shop);
    for (const plan of ["bp_unknown", archived, foreign]) {
      const body = { billing_plan_ids: [plan] };
      const answers = [
        await ask("POST", "/products", { body: { ...tea, ...body } }),
        await ask("PATCH", `/products/${id}`, { body }),
      ];
      for (const answer of answers) {
        expect(at(answer, "error.context.field"), plan).toBe("billing_plan_ids");
      }
    }
    expect(await tracesOf(shop)).toEqual(before);
    const held = { body: { name: "Still", billing_plan_ids: [archived] } };
    expect((await ask("PATCH", `/products/${holder}`, held)).status).toBe(200);
  });
});
