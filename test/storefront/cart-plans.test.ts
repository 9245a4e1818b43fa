import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createProduct } from "../support/create-product.ts";
import { valueAt } from "../support/responses.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { updateProductRow } from "./create-catalogue-rows.ts";

const start = Date.parse("2030-05-01T12:00:00Z");

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let weekly: string;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  weekly = await createPlan();
});

const createPlan = async (fields: object = {}, of = shop) =>
  String(
    valueAt(
      await merchant(of)("POST", "/billing-plans", {
        body: { name: "Weekly", interval: "week", price: "7", ...fields },
      }),
      "data.id",
    ),
  );

/** Tea at 10.00, or by its plans, with honey for 0.50. */
const createTea = (billingPlanIds = [weekly]) =>
  createProduct(shop, {
    billingPlanIds,
    addOns: [
      {
        name: "Extras",
        selectionType: "multiple",
        isRequired: false,
        options: [{ name: "Honey", priceMinor: 50 }],
      },
    ],
  });

const add = (body: object) => ask("POST", "/cart/items", { body });
const checkout = (cart_id: string) =>
  ask("POST", "/checkout", {
    body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
  });

const broken = (rule: string, facts: object = {}) => ({
  status: 422,
  body: { error: { code: "BUSINESS_RULE_VIOLATION", context: { rule, ...facts } } },
});

describe("a cart line with billing_plan_id", () => {
  it("costs the plan's price and its options", async () => {
    const tea = await createTea();
    const added = await add({
      item_id: tea.id,
      billing_plan_id: weekly,
      add_on_options: [tea.addOns[0]?.options[0]?.id],
      quantity: 2,
    });
    expect(added).toMatchObject({
      status: 200,
      body: {
        data: { item: { billing_plan_id: weekly, unit_price: "7.50", line_total: "15.00" } },
      },
    });
    expect(roundTrips(added).d1).toBeLessThanOrEqual(2);
    expect(roundTrips(await add({ item_id: tea.id, billing_plan_id: weekly }))).toMatchObject({
      d1: 0,
    });
  });

  it("is separate from the same product without a plan", async () => {
    const tea = await createTea();
    await add({ item_id: tea.id });
    await add({ item_id: tea.id, billing_plan_id: weekly });
    await add({ item_id: tea.id, billing_plan_id: weekly });
    expect(dataOf(await ask("GET", "/cart/items"))).toMatchObject([
      { billing_plan_id: null, unit_price: "10.00", quantity: 1 },
      { billing_plan_id: weekly, unit_price: "7.00", quantity: 2 },
    ]);
  });

  it("requires an active plan of the product", async () => {
    const [gone, foreign] = [
      await createPlan(),
      await createPlan({}, await createBusinessOnSameShard(shop)),
    ];
    const tea = await createTea([weekly, gone]);
    await updateProductRow(shop, tea.id, { billingPlanIds: [weekly, gone, foreign] });
    await merchant(shop)("DELETE", `/billing-plans/${gone}`);
    for (const billing_plan_id of [gone, foreign, await createPlan(), "bp_unknown"]) {
      expect(await add({ item_id: tea.id, billing_plan_id })).toMatchObject({
        status: 404,
        body: { error: { message: "No such billing plan." } },
      });
    }
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(0);
  });

  it("rejects a quote, which prices the product without the plan", async () => {
    const tea = await createTea();
    const { quote_id } = dataOf(
      await ask("POST", "/catalogue/quotes", { body: { product_id: tea.id } }),
    );
    expect(await add({ item_id: tea.id, quote_id, billing_plan_id: weekly })).toMatchObject(
      broken("QUOTE_MISMATCH"),
    );
  });
});

describe("POST /checkout with a plan", () => {
  it("requires a customer and keeps the cart", async () => {
    const tea = await createTea();
    const { id } = dataOf(await add({ item_id: tea.id, billing_plan_id: weekly }));
    expect(await checkout(id)).toMatchObject(broken("CUSTOMER_REQUIRED"));
    expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ id, item_count: 1 });
  });

  it("enforces the plan's minimum quantity and order amount", async () => {
    const big = await createPlan({ min_quantity: 2, min_order_value: "20" });
    const tea = await createTea([big]);
    const refused = broken("PLAN_NOT_ELIGIBLE", {
      billing_plan_id: big,
      min_quantity: 2,
      min_order_value: "20.00",
    });
    const { id, item } = dataOf(await add({ item_id: tea.id, billing_plan_id: big }));
    await add({ item_id: tea.id, quantity: 2 });
    expect(await checkout(id)).toMatchObject(refused);
    await ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: 2 } });
    expect(await checkout(id)).toMatchObject(broken("CUSTOMER_REQUIRED"));
    await ask("DELETE", "/cart");
    await add({ item_id: tea.id, billing_plan_id: big, quantity: 2 });
    expect(await checkout(id)).toMatchObject(refused);
  });

  it("removes the line when its plan was archived", async () => {
    const tea = await createTea();
    const { id } = dataOf(await add({ item_id: tea.id, billing_plan_id: weekly }));
    await merchant(shop)("DELETE", `/billing-plans/${weekly}`);
    vi.setSystemTime(start + 6_000);
    expect(await checkout(id)).toMatchObject(broken("ITEM_UNAVAILABLE", { items: ["Tea"] }));
    expect(dataOf(await ask("GET", "/cart/count"))).toBe(0);
  });
});
