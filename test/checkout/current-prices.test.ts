import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { requireData } from "../bookings/create-booking.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  type ApiResponse,
  createBusiness,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { expireCaches, maxRoundTrips } from "./create-tea-shop.ts";

let shop: CreatedBusiness;
let ask: ApiClient;
let tea: { id: string };

/** Tea at 10.00. */
beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  tea = await createProduct(shop);
});

const request = async (method: string, path: string, body?: object) =>
  requireData(merchant(shop)(method, path, body ? { body } : {}));

const homeId = () => shop.business.locations[0]?.id ?? "";

/** Adds an item, which also fills the caches of the session's isolate. */
const add = (body: object = {}) =>
  requireData(ask("POST", "/cart/items", { body: { item_id: tea.id, ...body } }));

const applyCoupon = (coupon_code: string) =>
  requireData(ask("POST", "/cart/coupons", { body: { coupon_code } }));

const methods = {
  cash: { payment_method: "cash" },
  "mobile money": {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: "0241234560", provider: "mtn" },
  },
} as const;
type Method = keyof typeof methods;

async function checkOut(method: Method, fields: object = {}, key = "key"): Promise<ApiResponse> {
  const { id: cart_id } = await requireData(ask("GET", "/cart"));
  const body = { cart_id, customer: { phone: "0241234567" }, ...methods[method], ...fields };
  return ask("POST", "/checkout", { body, headers: { "Idempotency-Key": key } });
}

/** Checks out as a client does that repeats a retryable answer once. */
async function checkOutWithRetry(method: Method, fields: object = {}): Promise<ApiResponse> {
  const first = await checkOut(method, fields);
  expect(roundTrips(first).d1).toBeLessThanOrEqual(maxRoundTrips);
  if (first.status !== 503) return first;
  expect(first).toMatchObject({ body: { error: { retryable: true } } });
  expect(await listOrders()).toEqual([]);
  const retry = await checkOut(method, fields);
  expect(roundTrips(retry).d1).toBeLessThanOrEqual(maxRoundTrips);
  return retry;
}

const listOrders = async () =>
  (
    await selectRows(
      shop,
      "select total_price_minor from orders where business_id = ?",
      shop.business.id,
    )
  ).map(({ total_price_minor }) => total_price_minor);

const listCharges = async () =>
  (
    await selectRows(
      shop,
      "select amount_minor from sandbox_charges where order_id in (select id from orders where business_id = ?)",
      shop.business.id,
    )
  ).map(({ amount_minor }) => amount_minor);

type ChangeCase = Readonly<{
  name: string;
  /** Fills the cart; returns the change that a merchant makes at once afterwards. */
  prepare: () => Promise<() => Promise<unknown>>;
  totalMinor: number;
}>;

const changes: readonly ChangeCase[] = [
  {
    name: "a product's price",
    async prepare() {
      await add();
      return () => request("PATCH", `/products/${tea.id}`, { default_price: "12" });
    },
    totalMinor: 1_200,
  },
  {
    name: "a product's price in the shard",
    async prepare() {
      await add();
      const query = "update products set default_price_minor = 1300 where id = ? returning id";
      return () => selectRows(shop, query, tea.id);
    },
    totalMinor: 1_300,
  },
  {
    name: "a variant's price",
    async prepare() {
      const variants = [{ name: "Large", price_adjustment: "1", is_default: true }];
      tea = await request("POST", "/products", { name: "Tea", default_price: "10", variants });
      await add();
      const dearer = [{ ...variants[0], price_adjustment: "4" }];
      const stored = await request("GET", `/products/${tea.id}`);
      const [{ id }] = stored.variants;
      return () => request("PATCH", `/products/${tea.id}`, { variants: [{ id, ...dearer[0] }] });
    },
    totalMinor: 1_400,
  },
  {
    name: "a location's price",
    async prepare() {
      await add({ location_id: homeId() });
      const price_overrides = [{ location_id: homeId(), price: "7" }];
      return () => request("PATCH", `/products/${tea.id}`, { price_overrides });
    },
    totalMinor: 700,
  },
  {
    name: "a bundle's component",
    async prepare() {
      const body = {
        name: "Set",
        components: [{ name: "Tea", product_id: tea.id, quantity: 2 }],
        pricing: { type: "percent_off", value: "10" },
      };
      const bundle = await request("POST", "/bundles", body);
      await add({ item_id: bundle.product_id });
      return () => request("PATCH", `/products/${tea.id}`, { default_price: "20" });
    },
    totalMinor: 3_600,
  },
  {
    name: "a composite's groups",
    async prepare() {
      const groups = (price: string) => [
        {
          name: "Bowl",
          min_selections: 1,
          max_selections: 1,
          components: [{ name: "Rice", price }],
        },
      ];
      const body = { name: "Bowl", base_price: "5", groups: groups("1") };
      const composite = await request("POST", "/composites", body);
      const [component] = composite.groups[0].components;
      const composite_selections = [{ component_id: component.component_id, quantity: 1 }];
      await add({ item_id: composite.product_id, composite_selections });
      const dearer = composite.groups.map((group: { components: object[] }) => ({
        ...group,
        components: group.components.map((one) => ({ ...one, price: "3" })),
      }));
      return () => request("PATCH", `/composites/${composite.id}`, { groups: dearer });
    },
    totalMinor: 800,
  },
  {
    name: "an automatic deal that is created",
    async prepare() {
      await add();
      return () => createDeal(shop, { value: "20" });
    },
    totalMinor: 800,
  },
  {
    name: "an automatic deal that becomes better",
    async prepare() {
      const deal = await createDeal(shop, { value: "10" });
      await add();
      return () => request("PATCH", `/deals/${deal.id}`, { value: "30" });
    },
    totalMinor: 700,
  },
  {
    name: "an automatic deal that is archived",
    async prepare() {
      const deal = await createDeal(shop);
      await add();
      return () => request("DELETE", `/deals/${deal.id}`);
    },
    totalMinor: 1_000,
  },
  {
    name: "a coupon's value",
    async prepare() {
      const deal = await createDeal(shop, { code: "SPRING", value: "50" });
      await add();
      await applyCoupon("SPRING");
      return () => request("PATCH", `/deals/${deal.id}`, { value: "5" });
    },
    totalMinor: 950,
  },
  {
    name: "the products of a collection with a deal",
    async prepare() {
      const other = await createProduct(shop);
      const body = { name: "Teas", product_ids: [tea.id] };
      const collection = await request("POST", "/collections", body);
      await createDeal(shop, { appliesTo: { scope: "collection", ids: [collection.id] } });
      await add();
      const path = `/collections/${collection.id}`;
      return () => request("PATCH", path, { product_ids: [other.id] });
    },
    totalMinor: 1_000,
  },
  {
    name: "the parent of a category with a deal",
    async prepare() {
      const parent = await request("POST", "/categories", { name: "Drinks" });
      const fields = { name: "Teas", parent_id: parent.id };
      const child = await request("POST", "/categories", fields);
      tea = await createProduct(shop, { categoryId: child.id });
      await createDeal(shop, { appliesTo: { scope: "category", ids: [parent.id] } });
      await add();
      return () => request("PATCH", `/categories/${child.id}`, { parent_id: null });
    },
    totalMinor: 1_000,
  },
];

describe.each(Object.keys(methods) as Method[])("POST /checkout by %s", (method) => {
  it.each(changes)("charges the new price after a change of $name", async (change) => {
    const makeChange = await change.prepare();
    await makeChange();
    const sold = await checkOutWithRetry(method);
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    expect(await listOrders()).toEqual([change.totalMinor]);
    expect(await listCharges()).toEqual(method === "cash" ? [] : [change.totalMinor]);
  });

  it.each([
    ["archived", () => request("DELETE", `/products/${tea.id}`)],
    ["deactivated", () => request("PATCH", `/products/${tea.id}`, { is_active: false })],
  ])("does not sell a product that was %s", async (_change, makeChange) => {
    await add();
    await makeChange();
    const refused = await checkOut(method);
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "ITEM_UNAVAILABLE", items: ["Tea"] } } },
    });
    expect(roundTrips(refused).d1).toBeLessThanOrEqual(maxRoundTrips);
    expect(await listOrders()).toEqual([]);
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({ item_count: 0 });
  });

  it("removes a coupon that was archived, and sells without it", async () => {
    const deal = await createDeal(shop, { code: "SPRING", value: "50" });
    await add();
    await applyCoupon("SPRING");
    await request("DELETE", `/deals/${deal.id}`);
    expect(await checkOut(method)).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "COUPON_INVALID" } } },
    });
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({ coupon: null });
    expect(await checkOut(method, {}, "again")).toMatchObject({ status: 200 });
    expect(await listOrders()).toEqual([1_000]);
  });

  it("keeps the price of a quote, but does not sell its product once it is archived", async () => {
    const wanted = { product_id: tea.id, quantity: 1 };
    const { quote_id } = await requireData(ask("POST", "/catalogue/quotes", { body: wanted }));
    await add({ quote_id });
    await request("PATCH", `/products/${tea.id}`, { default_price: "12" });
    expect(await checkOutWithRetry(method)).toMatchObject({ status: 200 });
    expect(await listOrders()).toEqual([1_000]);

    const again = await requireData(ask("POST", "/catalogue/quotes", { body: wanted }));
    await add({ quote_id: again.quote_id });
    await request("DELETE", `/products/${tea.id}`);
    expect(await checkOut(method, {}, "again")).toMatchObject({ status: 422 });
    expect(await listOrders()).toEqual([1_000]);
  });

  it("needs no further round trip, also while an import changes other products", async () => {
    const other = await createProduct(shop);
    await add();
    await request("PATCH", `/products/${other.id}`, { default_price: "99" });
    const sold = await checkOut(method);
    expect(sold).toMatchObject({ status: 200 });
    expect(roundTrips(sold).d1).toBe(method === "cash" ? 1 : 2);
  });
});

describe("expected_total", () => {
  const expectChanged = (answer: ApiResponse, expected_total: string, total_price: string) =>
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PRICE_CHANGED", expected_total, total_price } } },
    });

  it("places the order at this total", async () => {
    await add();
    const sold = await checkOut("mobile money", { expected_total: "10.00" });
    expect(sold).toMatchObject({ status: 200 });
    expect(roundTrips(sold).d1).toBe(maxRoundTrips);
    expect(await listOrders()).toEqual([1_000]);
  });

  it.each(["cached", "not cached"])(
    "refuses another total, charges nothing and shows the new prices, catalogue %s",
    async (memory) => {
      await add();
      await request("PATCH", `/products/${tea.id}`, { default_price: "12" });
      if (memory === "not cached") expireCaches();
      expectChanged(await checkOut("mobile money", { expected_total: "10.00" }), "10.00", "12.00");
      expect(await listOrders()).toEqual([]);
      expect(await requireData(ask("GET", "/cart"))).toMatchObject({
        items: [{ line_total: "12.00" }],
      });
      const replayed = await checkOut("mobile money", { expected_total: "10.00" });
      expectChanged(replayed, "10.00", "12.00");
      expect(replayed.headers.get("Idempotency-Replayed")).toBe("true");
      const agreed = await checkOut("mobile money", { expected_total: "12" }, "again");
      expect(agreed).toMatchObject({ status: 200 });
      expect(await listCharges()).toEqual([1_200]);
    },
  );

  it("accepts a total that this instance's cache does not know yet", async () => {
    await add();
    await request("PATCH", `/products/${tea.id}`, { default_price: "12" });
    expect(await checkOut("cash", { expected_total: "12.00" })).toMatchObject({ status: 200 });
    expect(await listOrders()).toEqual([1_200]);
  });

  it("covers discounts and tax", async () => {
    await createDeal(shop, { value: "10" });
    await add({ quantity: 3 });
    expectChanged(await checkOut("cash", { expected_total: "30.00" }), "30.00", "27.00");
    const sold = await checkOut("cash", { expected_total: "27.00" }, "again");
    expect(sold).toMatchObject({ status: 200 });
  });

  it.each([
    ["10.001", 400],
    ["-1", 400],
    ["ten", 400],
  ])("of %s is refused with the field's name", async (expected_total, status) => {
    await add();
    expect(await checkOut("cash", { expected_total })).toMatchObject({
      status,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "expected_total" } } },
    });
  });

  it("may be null", async () => {
    await add();
    expect(await checkOut("cash", { expected_total: null })).toMatchObject({ status: 200 });
  });
});
