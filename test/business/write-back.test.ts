import { expect, it } from "vitest";
import { valueAt } from "../support/responses.ts";
import { createBusiness, merchant } from "../support/world.ts";

/** A shop with records that others reference, and a body with all kinds of fields for each kind of record. */
async function createShopAndBodies() {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const locationId = shop.business.locations[0]?.id;
  const postRecord = async (path: string, body: object) => {
    const response = await ask("POST", path, { body });
    return String(valueAt(response, "data.id"));
  };
  const category = await postRecord("/categories", { name: "Drinks" });
  const plan = await postRecord("/billing-plans", {
    name: "Monthly",
    interval: "month",
    price: "2",
  });
  const part = await postRecord("/products", {
    name: "Cup",
    default_price: "4",
    variants: [{ name: "Small" }, { name: "Large", price_adjustment: "1" }],
    price_overrides: [{ location_id: locationId, price: "3" }],
  });
  const components = [{ name: "Cup", product_id: part, quantity: 2, is_swappable: true }];
  const bundle = (name: string, pricing: object) =>
    ["/bundles", { name, components, pricing }] as const;
  const bodies = [
    ["/categories", { name: "Tea", parent_id: category, metadata: { shelf: 1 } }],
    [
      "/products",
      {
        name: "Assam",
        default_price: "3",
        category_id: category,
        tags: ["hot"],
        properties: { leaves: ["whole", 2] },
        images: [{ url: "/assam.png", is_primary: true }],
        variant_axes: [{ name: "size", label: "Size", values: ["S"] }],
        variants: [{ name: "S", sku: "A-S", axis_values: { size: "S" } }],
        add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "1" }] }],
        schedules: [{ days: ["mon"], start_time: "09:00", end_time: "24:00" }],
        price_overrides: [{ location_id: locationId, price: "2" }],
        billing_plan_ids: [plan],
      },
    ],
    bundle("Set", { type: "fixed", value: "7" }),
    bundle("Set for less", { type: "percent_off", value: "10" }),
    bundle("Set for a little less", { type: "amount_off", value: "0.5" }),
    [
      "/composites",
      {
        name: "Tray",
        base_price: "1",
        groups: [{ name: "Cups", components: [{ name: "Cup", product_id: part }] }],
      },
    ],
    ["/collections", { name: "Ours", product_ids: [part], metadata: { wide: true } }],
    ["/collections", { name: "Hot ones", rule: { tags: ["hot"] } }],
    [
      "/deals",
      {
        name: "Off",
        code: "OFF",
        discount_type: "fixed_amount",
        value: "2",
        applies_to: { scope: "category", ids: [category] },
        starts_at: "2030-01-01T00:00:00Z",
      },
    ],
    [
      "/attributes",
      { category_id: category, key: "leaf", label: "Leaf", type: "select", values: ["whole"] },
    ],
    ["/delivery/zones", { name: "Coast", areas: [{ country: "GH" }], location_ids: [locationId] }],
    ["/billing-plans", { name: "Yearly", interval: "year", price: "20", min_order_value: "1" }],
  ] as const;
  return { ask, bodies };
}

it("accepts every catalogue record as it was read and changes nothing", async () => {
  const { ask, bodies } = await createShopAndBodies();
  for (const [path, body] of bodies) {
    const created = await ask("POST", path, { body });
    expect(created.status, `${path} ${JSON.stringify(created.body)}`).toBe(201);
    const one = `${path}/${valueAt(created, "data.id")}`;
    const read = await ask("GET", one);
    expect(read.body, one).toEqual(created.body);
    const written = await ask("PATCH", one, { body: valueAt(read, "data") });
    expect(written, one).toMatchObject({ status: 200 });
    expect(written.body, one).toEqual(read.body);
  }
});
