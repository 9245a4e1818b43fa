import { expect, it } from "vitest";
import { refusal, valueAt } from "../support/responses.ts";
import { type ApiClient, type ApiResponse, createBusiness, merchant } from "../support/world.ts";

const postRecord = async (ask: ApiClient, path: string, body: object) => {
  const response = await ask("POST", path, { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return String(valueAt(response, "data.id"));
};

/** A shop, a location and a plan of it, a category and a product, and a record that names each of them. */
async function createReferencingRecords() {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const home = String(shop.business.locations[0]?.id);
  const location = await postRecord(ask, "/locations", { name: "Kiosk" });
  const plan = await postRecord(ask, "/billing-plans", {
    name: "Box",
    interval: "month",
    price: "2",
  });
  const category = await postRecord(ask, "/categories", { name: "Tea" });
  const part = await postRecord(ask, "/products", {
    name: "Cup",
    default_price: "4",
    price_overrides: [{ location_id: location, price: "3" }],
  });
  const spare = await postRecord(ask, "/products", { name: "Saucer", default_price: "1" });
  const collection = await postRecord(ask, "/collections", { name: "Ours", product_ids: [spare] });
  const priced = {
    default_price: "5",
    billing_plan_ids: [plan],
    price_overrides: [{ location_id: location, price: "4" }],
    schedules: [{ ...day, location_id: location }, day],
  };
  const deal = (scope: string, id: string) => ({
    name: scope,
    discount_type: "percentage",
    value: "5",
    applies_to: { scope, ids: [id] },
  });
  const bodies: readonly (readonly [string, object])[] = [
    ["/products", { ...priced, name: "Assam" }],
    [
      "/services",
      { ...priced, name: "Tasting", duration_minutes: 30, location_ids: [home, location] },
    ],
    [
      "/bundles",
      { name: "Set", default_price: "6", components: [{ name: "Cup", product_id: part }] },
    ],
    [
      "/composites",
      {
        name: "Tray",
        base_price: "1",
        groups: [{ name: "Cups", components: [{ name: "Cup", product_id: part }] }],
      },
    ],
    ["/deals", deal("product", part)],
    ["/deals", deal("category", category)],
    ["/deals", deal("collection", collection)],
    ["/attributes", { category_id: category, key: "leaf", label: "Leaf", type: "text" }],
  ];
  const records: string[] = [];
  for (const [path, body] of bodies) records.push(`${path}/${await postRecord(ask, path, body)}`);
  const named = [
    `/locations/${location}`,
    `/billing-plans/${plan}`,
    `/products/${part}`,
    `/categories/${category}`,
    `/collections/${collection}`,
  ];
  return { ask, records, named, location, plan, part, category };
}

it("accepts a record that references an archived record when it is written back unchanged", async () => {
  const { ask, records, named } = await createReferencingRecords();
  for (const path of named) expect((await ask("DELETE", path)).status).toBe(200);
  for (const path of records) {
    const read = await ask("GET", path);
    const written = await ask("PATCH", path, { body: valueAt(read, "data") as object });
    expect(written.body, path).toEqual({
      success: true,
      data: { ...(valueAt(read, "data") as object), ...timeOf(written) },
    });
  }
});

/** Some records contain the time of their last change. */
function timeOf(response: ApiResponse): object {
  const updated_at = valueAt(response, "data.updated_at");
  return updated_at === undefined ? {} : { updated_at };
}

it("rejects new references to archived records", async () => {
  const { ask, named, location, plan, part, category } = await createReferencingRecords();
  const bundle = await postRecord(ask, "/bundles", {
    name: "Pair",
    default_price: "6",
    components: [{ name: "Saucer", product_id: await postRecord(ask, "/products", saucer) }],
  });
  const deal = await postRecord(ask, "/deals", {
    name: "Off",
    discount_type: "percentage",
    value: "5",
  });
  const product = await postRecord(ask, "/products", saucer);
  const composite = await postRecord(ask, "/composites", {
    name: "Tray",
    base_price: "1",
    groups: [{ name: "Cups", components: [{ name: "Cup" }] }],
  });
  const priced = { price_overrides: [{ location_id: location, price: "2" }] };
  const there = { ...day, location_id: location };
  const service = await postRecord(ask, "/services", { ...saucer, duration_minutes: 30 });
  for (const path of named) await ask("DELETE", path);
  const refused: readonly (readonly [string, object, string])[] = [
    [`/products/${product}`, { billing_plan_ids: [plan] }, "billing_plan_ids"],
    ...[`/products/${product}`, `/bundles/${bundle}`, `/composites/${composite}`].map(
      (path) => [path, priced, "price_overrides.0.location_id"] as const,
    ),
    [`/services/${service}`, { schedules: [day, there] }, "schedules.1.location_id"],
    [`/services/${service}`, { location_ids: [location] }, "location_ids.0"],
    [
      `/bundles/${bundle}`,
      { components: [{ name: "Saucer", product_id: part }] },
      "components.0.product_id",
    ],
    [`/deals/${deal}`, { applies_to: { scope: "category", ids: [category] } }, "applies_to.ids"],
  ];
  for (const [path, body, field] of refused) {
    const response = await ask("PATCH", path, { body });
    expect(response.status, path).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
  }
});

const day = { days: ["mon"], start_time: "09:00", end_time: "17:00" };
const saucer = { name: "Saucer", default_price: "1" };
