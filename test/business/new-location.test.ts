import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { refusal } from "../support/responses.ts";
import { createBusiness, dataOf, merchant, roundTrips } from "../support/world.ts";

let ask: ReturnType<typeof merchant>;
let location_id: string;
let productId: string;

beforeEach(async () => {
  const shop: CreatedBusiness = await createBusiness();
  ask = merchant(shop);
  productId = String(dataOf(await ask("POST", "/products", { body: { ...cup } })).id);
  location_id = String(dataOf(await ask("POST", "/locations", { body: { name: "Osu" } })).id);
});

const cup = { name: "Cup", default_price: "5", inventory_type: "tracked" };
const whole = { days: ["mon"], start_time: "00:00", end_time: "24:00" };

describe("a new location", () => {
  it("accepts stock", async () => {
    const stockPath = `/inventory/${productId}/locations/${location_id}`;
    const set = await ask("PUT", stockPath, { body: { quantity_on_hand: 5 } });
    expect(set).toMatchObject({ status: 200, body: { data: { quantity_on_hand: 5 } } });
    const added = await ask("POST", `${stockPath}/adjustments`, {
      body: { delta: 2, reason: "more" },
    });
    expect(added).toMatchObject({ status: 201, body: { data: { quantity_on_hand: 7 } } });
  });

  it("accepts prices and schedules of products, bundles and composites", async () => {
    const fields = {
      price_overrides: [{ location_id, price: "4.00" }],
      schedules: [{ ...whole, location_id }],
    };
    const shown = { price_overrides: [{ location_id }], schedules: [{ location_id }] };
    const components = [{ name: "Cup", product_id: productId, quantity: 1 }];
    const bundle = { name: "Set", default_price: "9", components };
    const composite = {
      name: "Box",
      base_price: "1",
      groups: [{ name: "One", min_selections: 0, max_selections: 1, components: [{ name: "A" }] }],
    };
    for (const [path, body] of Object.entries({
      "/products": cup,
      "/bundles": bundle,
      "/composites": composite,
    })) {
      const made = await ask("POST", path, { body: { ...body, ...fields } });
      expect(made, path).toMatchObject({ status: 201, body: { data: shown } });
      const changed = await ask("PATCH", `${path}/${dataOf(made).id}`, { body: fields });
      expect(changed, path).toMatchObject({ status: 200, body: { data: shown } });
    }
  });

  it("accepts services", async () => {
    const body = { name: "Cut", default_price: "9", duration_minutes: 30 };
    const location_ids = [location_id];
    const made = await ask("POST", "/services", { body: { ...body, location_ids } });
    expect(made).toMatchObject({ status: 201, body: { data: { location_ids } } });
    const path = `/services/${dataOf(made).id}`;
    const changed = await ask("PATCH", path, { body: { schedules: [{ ...whole, location_id }] } });
    expect(changed.status).toBe(200);
  });

  it("costs one lookup of the business while it is not cached", async () => {
    const set = (id: string) =>
      ask("PUT", `/inventory/${productId}/locations/${id}`, { body: { quantity_on_hand: 5 } });
    const home = String(dataOf(await ask("GET", "")).locations?.[0]?.id);
    const [cached, uncached] = [await set(home), await set(location_id)];
    expect(roundTrips(uncached).d1 - roundTrips(cached).d1).toBe(1);
  });

  it("is unknown to another business", async () => {
    const other = merchant(await createBusiness());
    const id = String(dataOf(await other("POST", "/products", { body: cup })).id);
    const set = await other("PUT", `/inventory/${id}/locations/${location_id}`, {
      body: { quantity_on_hand: 5 },
    });
    expect(set).toMatchObject({ status: 404, body: refusal("NOT_FOUND") });
  });
});
