import { describe, expect, it } from "vitest";
import { weekdays } from "../../shared/kernel/index.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import { createShop, postProduct, teaFields } from "./create-product.ts";

const morning = { days: ["tue", "mon", "tue"], start_time: "07:00", end_time: "11:00" };

describe("schedules of a product", () => {
  it("are stored with the location's timezone, and unchanged rules keep their ids", async () => {
    const { shop, ask } = await createShop();
    const home = shop.business.locations[0];
    const night = {
      location_id: home?.id,
      days: [...weekdays],
      start_time: "22:00",
      end_time: "02:00",
      timezone: "Europe/Berlin",
      starts_on: "2026-01-01",
      ends_on: "2026-12-31",
    };
    const { id, response } = await postProduct(ask, { ...teaFields, schedules: [morning, night] });
    const id_like = expect.stringMatching(/^rule_/);
    expect(valueAt(response, "data.schedules")).toEqual([
      {
        ...morning,
        days: ["mon", "tue"],
        id: id_like,
        product_id: id,
        location_id: null,
        timezone: "Africa/Accra",
        starts_on: null,
        ends_on: null,
      },
      { ...night, id: id_like, product_id: id },
    ]);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(response.body);

    const swapped = await ask("PATCH", `/products/${id}`, {
      body: { schedules: [night, morning] },
    });
    expect(valueAt(swapped, "data.schedules.0.id")).toBe(valueAt(response, "data.schedules.1.id"));
    expect(valueAt(swapped, "data.schedules.1.id")).toBe(valueAt(response, "data.schedules.0.id"));
    const emptied = await ask("PATCH", `/products/${id}`, { body: { schedules: [] } });
    expect(emptied.body).toMatchObject(success({ schedules: [] }));
  });

  it.each([
    ["schedules.0.days", { days: [] }],
    ["schedules.0.days.0", { days: ["monday"] }],
    ["schedules.0.start_time", { start_time: "24:00" }],
    ["schedules.0.start_time", { start_time: "7:00" }],
    ["schedules.0.end_time", { end_time: "24:01" }],
    ["schedules.0.end_time", { end_time: "07:00" }],
    ["schedules.0.timezone", { timezone: "Mars/Base" }],
    ["schedules.0.location_id", { location_id: "loc_unknown" }],
    ["schedules.0.starts_on", { starts_on: "2026-02-30" }],
    ["schedules.0.ends_on", { starts_on: "2026-02-02", ends_on: "2026-02-01" }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/products", {
      body: { ...teaFields, schedules: [{ ...morning, ...fields }] },
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({ products: 0, audit_entries: 0 });
  });
});
