import { describe, expect, it } from "vitest";
import { defaultLocation } from "../../shared/businesses/index.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";

const massage = { name: "Massage", default_price: "80", duration_minutes: 60 };

const createShopClient = async () => {
  const shop = await createBusiness();
  return { shop, ask: merchant(shop), home: defaultLocation(shop.business).id };
};

describe("POST /v1/businesses/{business_id}/services", () => {
  it("creates a service and its product in one commit", async () => {
    const { shop, ask, home } = await createShopClient();
    const answer = await ask("POST", "/services", {
      body: { ...massage, buffer_minutes: 15, variants: [{ name: "Long", duration_minutes: 90 }] },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject(
      success({
        id: expect.stringMatching(/^svc_/),
        product_id: expect.stringMatching(/^prod_/),
        name: "Massage",
        description: "",
        product_type: "service",
        price: "80.00",
        currency: "GHS",
        duration_minutes: 60,
        buffer_minutes: 15,
        capacity: 1,
        slot_interval_minutes: 60,
        min_notice_minutes: 0,
        booking_window_days: 90,
        cancellation_notice_minutes: 0,
        require_verified_contact: false,
        variants: [{ name: "Long", duration_minutes: 90, is_default: true }],
        staff: [],
        resources: [],
        location_ids: [home],
        timezone: "Africa/Accra",
      }),
    );
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3); // including the lookup of the API key
    for (const id of [valueAt(answer, "data.id"), valueAt(answer, "data.product_id")]) {
      const read = await ask("GET", `/services/${id}`);
      expect(read.body).toEqual(answer.body);
      expect(roundTrips(read).d1).toBe(1);
    }
    expect(await countBusinessRows(shop)).toMatchObject({
      products: 1,
      services: 1,
      audit_entries: 1,
      version: 1,
    });
    expect(await listAuditActions(shop)).toEqual(["service.created"]);
  });

  it.each([
    ["duration_minutes", { duration_minutes: undefined }],
    ["duration_minutes", { duration_minutes: 0 }],
    ["buffer_minutes", { buffer_minutes: -1 }],
    ["capacity", { capacity: 0 }],
    ["slot_interval_minutes", { slot_interval_minutes: 0 }],
    ["min_notice_minutes", { min_notice_minutes: -1 }],
    ["booking_window_days", { booking_window_days: 0 }],
    ["cancellation_notice_minutes", { cancellation_notice_minutes: 1.5 }],
    ["require_verified_contact", { require_verified_contact: "yes" }],
    ["location_ids.0", { location_ids: ["loc_unknown"] }],
    ["default_price", { default_price: undefined }],
    ["name", { name: "" }],
  ])("names an invalid %s and writes nothing", async (field, fields) => {
    const { shop, ask } = await createShopClient();
    const answer = await ask("POST", "/services", { body: { ...massage, ...fields } });
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({
      products: 0,
      services: 0,
      audit_entries: 0,
      version: 0,
    });
  });

  it("accepts the largest numbers, and names one above its maximum", async () => {
    const { ask } = await createShopClient();
    const largest = {
      duration_minutes: 10_080,
      buffer_minutes: 1_440,
      capacity: 100_000,
      slot_interval_minutes: 10_080,
      min_notice_minutes: 527_040,
      booking_window_days: 731,
      cancellation_notice_minutes: 527_040,
    };
    const made = await ask("POST", "/services", { body: { ...massage, ...largest } });
    expect(made.body).toMatchObject(success(largest));
    const path = `/services/${valueAt(made, "data.id")}`;
    for (const [field, maximum] of Object.entries(largest)) {
      const answer = await ask("PATCH", path, { body: { [field]: maximum + 1 } });
      expect(answer.body, field).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    }
  });
});

describe("PATCH, DELETE and GET of services", () => {
  it("changes service and product together, in two round trips", async () => {
    const { ask } = await createShopClient();
    const made = await ask("POST", "/services", { body: massage });
    const id = String(valueAt(made, "data.id"));
    const changed = await ask("PATCH", `/services/${id}`, {
      body: { name: "Deep massage", default_price: "90", capacity: 4 },
    });
    expect(changed.body).toMatchObject(
      success({ id, name: "Deep massage", price: "90.00", capacity: 4, duration_minutes: 60 }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/services/${id}`)).body).toEqual(changed.body);
    const refused = await ask("PATCH", `/services/${id}`, {
      body: { name: "No", location_ids: ["loc_x"] },
    });
    expect(refused.status).toBe(400);
    expect((await ask("GET", `/services/${id}`)).body).toEqual(changed.body);
  });

  it("lists newest first in pages, without archived services", async () => {
    const { ask } = await createShopClient();
    for (const name of ["A", "B", "C", "D"])
      await ask("POST", "/services", { body: { ...massage, name } });
    const all = await ask("GET", "/services");
    await ask("DELETE", `/services/${valueAt(all, "data.items.1.id")}`);
    const first = await ask("GET", "/services?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ name: "D" }, { name: "B" }], pagination: { has_more: true } }),
    );
    expect(roundTrips(first).d1).toBe(1);
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `/services?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({ items: [{ name: "A" }], pagination: { has_more: false } }),
    );
  });

  it("archives a service and its product once", async () => {
    const { shop, ask } = await createShopClient();
    const made = await ask("POST", "/services", { body: massage });
    const id = String(valueAt(made, "data.id"));
    const archived = await ask("DELETE", `/services/${id}`);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/services/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/services/${id}`)).status).toBe(404);
    expect((await ask("GET", `/products/${valueAt(made, "data.product_id")}`)).status).toBe(404);
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "returns 404 to %s for a service of another business",
    async (method) => {
      const { shop, ask } = await createShopClient();
      const made = await ask("POST", "/services", { body: massage });
      const other = await createBusinessOnSameShard(shop);
      const answer = await merchant(other)(
        method,
        `/services/${valueAt(made, "data.id")}`,
        method === "PATCH" ? { body: { name: "Mine" } } : {},
      );
      expect(answer.status).toBe(404);
      expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0 });
    },
  );
});
