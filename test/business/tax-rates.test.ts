import { describe, expect, it } from "vitest";
import { success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";
import { createShop } from "./create-product.ts";

const vat = { name: "VAT", country: "GH", rate_percent: "15" };

const postRate = async (ask: ApiClient, fields: object = {}) =>
  dataOf(await ask("POST", "/tax/rates", { body: { ...vat, ...fields } }));

describe("tax rates", () => {
  it("are created with defaults, changed and archived, each with an audit entry", async () => {
    const { shop, ask } = await createShop();
    await ask("GET", "/tax/rates"); // caches the key
    const created = await ask("POST", "/tax/rates", { body: { ...vat, rate_percent: 15.5 } });
    const rate = {
      id: expect.stringMatching(/^txr_/),
      ...vat,
      tax_class: "standard",
      rate_percent: "15.5",
      region: null,
      postal_code_prefix: null,
      applies_to_delivery: false,
      is_active: true,
    };
    expect(created.body).toEqual(success(rate));
    expect(roundTrips(created).d1).toBe(1);
    const id = String(valueAt(created, "data.id"));
    expect((await ask("GET", `/tax/rates/${id}`)).body).toEqual(created.body);
    const body = { region: " Greater Accra ", rate_percent: "05.000", applies_to_delivery: true };
    expect((await ask("PATCH", `/tax/rates/${id}`, { body })).status).toBe(400);
    const changed = await ask("PATCH", `/tax/rates/${id}`, {
      body: { ...body, rate_percent: "5.000" },
    });
    expect(dataOf(changed)).toEqual({ ...rate, ...body, id, rate_percent: "5" });
    expect(roundTrips(changed).d1).toBe(2);
    const blank = await ask("PATCH", `/tax/rates/${id}`, { body: { region: " " } });
    expect(valueAt(blank, "data.region")).toBeNull();
    const archived = await ask("DELETE", `/tax/rates/${id}`);
    expect(archived.body).toEqual(blank.body);
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/tax/rates/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect(before).toMatchObject({ version: 4 });
    expect((await ask("GET", `/tax/rates/${id}`)).status).toBe(404);
    expect(await listAuditActions(shop)).toEqual(
      ["created", "updated", "updated", "archived"].map((verb) => `tax_rate.${verb}`),
    );
  });

  it("are one per class, name and place, compared without case and spaces", async () => {
    const { ask } = await createShop();
    await ask("POST", "/tax/classes", { body: { code: "reduced", name: "Reduced" } });
    const place = { region: "New York", postal_code_prefix: "SW1 A", country: "gb" };
    const { id } = await postRate(ask, place);
    const same = { name: "v a t", region: " NEW york", postal_code_prefix: "sw1a", country: "GB" };
    const body = { ...vat, ...same };
    expect((await ask("POST", "/tax/rates", { body })).status).toBe(409);
    for (const other of [
      { name: "GST" },
      { tax_class: "reduced" },
      { region: null },
      { postal_code_prefix: "SW1" },
      { country: "GH" },
      { is_active: false },
    ])
      await postRate(ask, { ...same, ...other });
    const { items } = dataOf(await ask("GET", "/tax/rates?limit=100"));
    expect(items).toHaveLength(7);
    const inactive = items.at(-1).id;
    const activate = { body: { is_active: true } };
    expect((await ask("PATCH", `/tax/rates/${inactive}`, activate)).status).toBe(409);
    await ask("DELETE", `/tax/rates/${id}`);
    expect((await ask("PATCH", `/tax/rates/${inactive}`, activate)).status).toBe(200);
  });

  it("are created once when two calls create the same at once", async () => {
    const { shop, ask } = await createShop();
    const responses = await Promise.all([1, 2].map(() => ask("POST", "/tax/rates", { body: vat })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await countBusinessRows(shop)).toMatchObject({ tax_rates: 1, audit_entries: 1 });
  });

  it("belong to their business", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postRate(ask);
    await ask("POST", "/tax/classes", { body: { code: "reduced", name: "Reduced" } });
    const other = merchant(await createBusinessOnSameShard(shop));
    for (const method of ["GET", "PATCH", "DELETE"])
      expect(
        (await other(method, `/tax/rates/${id}`, method === "PATCH" ? { body: {} } : {})).status,
      ).toBe(404);
    const foreignClass = await other("POST", "/tax/rates", {
      body: { ...vat, tax_class: "reduced" },
    });
    expect(valueAt(foreignClass, "error.context.field")).toBe("tax_class");
  });

  it.each([
    ["tax_class", { tax_class: "unknown" }],
    ["tax_class", { tax_class: "" }],
    ["name", { name: "" }],
    ["country", { country: "XX" }],
    ["country", { country: undefined }],
    ["region", { region: "x".repeat(201) }],
    ["postal_code_prefix", { postal_code_prefix: "1".repeat(21) }],
    ["rate_percent", { rate_percent: "100.1" }],
    ["rate_percent", { rate_percent: "-1" }],
    ["rate_percent", { rate_percent: "1.00001" }],
    ["applies_to_delivery", { applies_to_delivery: "yes" }],
  ])("reject an invalid %s with its field and store nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/tax/rates", { body: { ...vat, ...fields } });
    expect(response).toMatchObject({ status: 400, body: { error: { context: { field } } } });
    expect(await countBusinessRows(shop)).toMatchObject({ tax_rates: 0, version: 0 });
  });

  it("of one place are at most 50", async () => {
    const { shop, ask } = await createShop();
    await selectRows(
      shop,
      `insert into tax_rates (id, business_id, tax_class, name, country, name_key, region_key, postal_key,
         rate_percent, applies_to_delivery, is_active, created_at, updated_at)
       select 'txr_' || value, ?1, 'standard', value, 'GH', value, '', '', '1', 0, 1, 0, 0
       from json_each(?2)`,
      shop.business.id,
      JSON.stringify(Array.from({ length: 49 }, (_, index) => `${shop.business.id}${index}`)),
    );
    const { id } = await postRate(ask, { is_active: false });
    await postRate(ask, { name: "Levy" });
    const refused = await ask("POST", "/tax/rates", { body: { ...vat, name: "Another" } });
    expect(valueAt(refused, "error.context.rule")).toBe("TAX_RATE_LIMIT");
    const activated = await ask("PATCH", `/tax/rates/${id}`, { body: { is_active: true } });
    expect(valueAt(activated, "error.context.rule")).toBe("TAX_RATE_LIMIT");
    await postRate(ask, { name: "Another", region: "Volta" });
  });
});
