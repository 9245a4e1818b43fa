import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createZone } from "../../shared/delivery/index.ts";
import { createKey } from "../support/create-key.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const ghana = { name: "Ghana", areas: [{ country: "GH" }] };

const postZone = (body: object = {}) =>
  ask("POST", "/delivery/zones", { body: { ...ghana, ...body } });
const createZoneId = async (body: object = {}): Promise<string> => dataOf(await postZone(body)).id;

const flat = { name: "Courier", price: { type: "flat", amount: "5.00" } };

const postMethod = async (body: Record<string, unknown> = {}) =>
  ask("POST", "/delivery/methods", {
    body: { zone_id: body.zone_id ?? (await createZoneId()), ...flat, ...body },
  });

const listClaimedAreas = async () =>
  (
    await selectRows(
      shop,
      "select country, region, postal_prefix from delivery_areas where business_id = ? order by 1, 2, 3",
      shop.business.id,
    )
  ).map(({ country, region, postal_prefix }) => `${country}/${region}/${postal_prefix}`);

describe("/v1/businesses/{business_id}/delivery/zones", () => {
  it("creates, reads, lists, updates and archives a zone, and audits each change", async () => {
    const [location] = shop.business.locations;
    const full = {
      name: "Coast",
      areas: [
        {
          country: "GH",
          regions: ["Greater Accra", "Volta"],
          postal_code_prefixes: ["GA 1", "gb"],
        },
        { country: "TG", regions: [], postal_code_prefixes: [] },
      ],
      location_ids: [location?.id],
      is_active: true,
    };
    const created = await postZone(full);
    expect(created).toMatchObject({ status: 201 });
    const { id } = dataOf(created);
    expect(dataOf(created)).toEqual({ ...full, id: expect.stringMatching(/^zone_/) });
    expect(dataOf(await ask("GET", `/delivery/zones/${id}`))).toEqual(dataOf(created));
    expect(dataOf(await postZone())).toMatchObject({
      areas: [{ country: "GH", regions: [], postal_code_prefixes: [] }],
      location_ids: null,
      is_active: true,
    });
    const page = dataOf(await ask("GET", "/delivery/zones?limit=1"));
    expect(page).toMatchObject({ items: [dataOf(created)], pagination: { has_more: true } });
    const change = { body: { location_ids: [], name: "Shore" } };
    expect(dataOf(await ask("PATCH", `/delivery/zones/${id}`, change))).toEqual({
      ...full,
      id,
      name: "Shore",
      location_ids: null,
    });
    const archived = await ask("DELETE", `/delivery/zones/${id}`);
    expect(await ask("DELETE", `/delivery/zones/${id}`)).toMatchObject({ body: archived.body });
    expect(await ask("GET", `/delivery/zones/${id}`)).toMatchObject({ status: 404 });
    expect(await listClaimedAreas()).toEqual(["GH//"]);
    expect(await listAuditActions(shop)).toEqual([
      ...["delivery_zone.created", "delivery_zone.created", "delivery_zone.updated"],
      "delivery_zone.archived",
    ]);
  });

  it("refuses an area that another active zone claims, also when both are created at once", async () => {
    const area = { country: "gh", regions: ["Volta"], postal_code_prefixes: ["GA1"] };
    const other = {
      ...area,
      country: "GH",
      regions: [" vol TA"],
      postal_code_prefixes: ["g a 1"],
    };
    const answers = await Promise.all([postZone({ areas: [area] }), postZone({ areas: [other] })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const winner = dataOf(answers.find(({ status }) => status === 201) ?? answers[0]).id;
    expect(answers.find(({ status }) => status === 422)).toMatchObject({
      body: {
        error: {
          context: {
            rule: "AREA_OVERLAP",
            zone_id: winner,
            country: "GH",
            region: "VOLTA",
            postal_code_prefix: "GA1",
          },
        },
      },
    });
    const longer = { ...area, postal_code_prefixes: ["GA12"] };
    const regionOnly = { ...area, postal_code_prefixes: [] };
    const prefixOnly = { ...area, regions: [] };
    for (const areas of [[longer], [regionOnly], [prefixOnly]])
      expect(await postZone({ areas })).toMatchObject({ status: 201 });
    expect(await listClaimedAreas()).toHaveLength(4);
  });

  it("names the overlap of a zone with as many long combinations as there may be", async () => {
    const longText = "ʬ".repeat(96);
    const area = {
      country: "GH",
      regions: Array.from({ length: 100 }, (_, index) => `${longText}${index}`),
      postal_code_prefixes: Array.from({ length: 100 }, (_, index) => `${"P".repeat(17)}${index}`),
    };
    const zone_id = await createZoneId({
      areas: [
        { ...area, regions: [`${longText}99`], postal_code_prefixes: [`${"P".repeat(17)}99`] },
      ],
    });
    expect(await postZone({ areas: [area] })).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AREA_OVERLAP", zone_id } } },
    });
  });

  it("lets inactive and archived zones claim nothing", async () => {
    const first = await createZoneId();
    const second = await createZoneId({ is_active: false });
    const activate = () => ask("PATCH", `/delivery/zones/${second}`, { body: { is_active: true } });
    expect(await activate()).toMatchObject({ body: { error: { context: { zone_id: first } } } });
    await ask("PATCH", `/delivery/zones/${first}`, { body: { is_active: false } });
    expect(await activate()).toMatchObject({ status: 200 });
    const reactivated = await ask("PATCH", `/delivery/zones/${first}`, {
      body: { is_active: true },
    });
    expect(reactivated).toMatchObject({ status: 422 });
    await ask("DELETE", `/delivery/zones/${second}`);
    const moved = { areas: [{ country: "NG" }], is_active: true };
    await ask("PATCH", `/delivery/zones/${first}`, { body: moved });
    expect(await listClaimedAreas()).toEqual(["NG//"]);
    const twice = { areas: [{ country: "GH" }, { country: "GH", regions: [] }] };
    expect(await ask("PATCH", `/delivery/zones/${first}`, { body: twice })).toMatchObject({
      status: 200,
    });
    expect(await listClaimedAreas()).toEqual(["GH//"]);
  });

  it("changes a zone of 5,000 prefixes without writing its areas again", async () => {
    const prefixes = Array.from({ length: 5_000 }, (_, index) => `P${index}`);
    const areas = [{ country: "GH", postal_code_prefixes: prefixes }];
    const id = await createZoneId({ areas });
    const rowids = () =>
      selectRows(shop, "select min(rowid) as first from delivery_areas where zone_id = ?", id);
    const before = await rowids();
    expect(
      await ask("PATCH", `/delivery/zones/${id}`, { body: { name: "All", areas } }),
    ).toMatchObject({ status: 200 });
    expect(await rowids()).toEqual(before);
    expect(await listClaimedAreas()).toHaveLength(5_000);
  });

  it.each([
    ["name", { name: " " }],
    ["areas", { areas: [] }],
    ["areas.0.country", { areas: [{ country: "XX" }] }],
    ["areas.0.regions.0", { areas: [{ country: "GH", regions: [" "] }] }],
    [
      "areas.0.postal_code_prefixes.1",
      { areas: [{ country: "GH", postal_code_prefixes: ["1", ""] }] },
    ],
    ["location_ids.0", { location_ids: ["loc_none"] }],
    ["is_active", { is_active: "yes" }],
    [
      "areas",
      {
        areas: [
          {
            country: "GH",
            regions: Array.from({ length: 101 }, (_, index) => `R${index}`),
            postal_code_prefixes: Array.from({ length: 100 }, (_, index) => `P${index}`),
          },
        ],
      },
    ],
  ])("names %s in bad input", async (field, body) => {
    expect(await postZone(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
    expect(await listClaimedAreas()).toEqual([]);
  });

  it("needs the scope of settings, and treats another business's zone as unknown", async () => {
    const other = await createBusinessOnSameShard(shop);
    const { id } = await createZone(contextFor(other), {
      name: "Other",
      areas: [{ country: "GH", regions: [], postalCodePrefixes: [] }],
      locationIds: null,
      isActive: true,
    });
    expect(await postZone()).toMatchObject({ status: 201 }); // areas are claimed in one business
    const path = `/delivery/zones/${id}`;
    const answers = [
      await ask("GET", path),
      await ask("PATCH", path, { body: { name: "Mine" } }),
      await ask("DELETE", path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await postMethod({ zone_id: id })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "zone_id" } } },
    });
    const secret = await createKey(shop, { scopes: ["settings:read"] });
    const reader = merchant({ ...shop, keys: { ...shop.keys, secret } });
    expect(await reader("GET", "/delivery/zones")).toMatchObject({ status: 200 });
    expect(await reader("POST", "/delivery/zones", { body: ghana })).toMatchObject({ status: 403 });
  });
});

describe("/v1/businesses/{business_id}/delivery/methods", () => {
  it("creates, reads, lists, updates and archives a method, and audits each change", async () => {
    const zone_id = await createZoneId();
    const full = {
      zone_id,
      name: "Courier",
      description: "By motorbike",
      price: {
        type: "by_weight",
        tiers: [
          { max_grams: 1_000, amount: "10.00" },
          { max_grams: 5_000, amount: "20.00" },
        ],
      },
      free_over: "200.00",
      min_days: 1,
      max_days: 3,
      payment_methods: ["card"],
      sort_order: 2,
      is_active: false,
    };
    const created = await postMethod(full);
    expect(dataOf(created)).toEqual({ ...full, id: expect.stringMatching(/^dlm_/) });
    const { id } = dataOf(created);
    expect(dataOf(await ask("GET", `/delivery/methods/${id}`))).toEqual(dataOf(created));
    expect(dataOf(await postMethod({ zone_id }))).toMatchObject({
      ...{ description: "", free_over: null, min_days: null, max_days: null },
      ...{ payment_methods: null, sort_order: 0, is_active: true },
    });
    const price = {
      type: "by_subtotal",
      tiers: [
        { min_subtotal: "100", amount: "0" },
        { min_subtotal: "20", amount: "5" },
      ],
    };
    const changed = { price, free_over: null, payment_methods: [] };
    expect(dataOf(await ask("PATCH", `/delivery/methods/${id}`, { body: changed }))).toEqual({
      ...full,
      id,
      price: {
        type: "by_subtotal",
        tiers: [
          { min_subtotal: "20.00", amount: "5.00" },
          { min_subtotal: "100.00", amount: "0.00" },
        ],
      },
      free_over: null,
      payment_methods: null,
    });
    expect(dataOf(await ask("GET", "/delivery/methods")).items).toHaveLength(2);
    const archived = await ask("DELETE", `/delivery/methods/${id}`);
    expect(await ask("DELETE", `/delivery/methods/${id}`)).toMatchObject({ body: archived.body });
    expect(await ask("GET", `/delivery/methods/${id}`)).toMatchObject({ status: 404 });
    const [entry] = dataOf(await ask("GET", `/audit?entity=${id}&limit=1`)).items;
    expect(entry).toMatchObject({
      action: "delivery_method.archived",
      before: { name: "Courier" },
    });
    expect(
      (await listAuditActions(shop)).filter((action) => String(action).includes("method")),
    ).toEqual([
      ...["delivery_method.created", "delivery_method.created", "delivery_method.updated"],
      "delivery_method.archived",
    ]);
  });

  it.each([
    ["zone_id", { zone_id: "zone_none" }],
    ["price.amount", { price: { type: "flat", amount: "-1" } }],
    ["price.amount", { price: { type: "flat", amount: "1.234" } }],
    ["price.tiers", { price: { type: "by_weight", tiers: [] } }],
    [
      "price.tiers.1.max_grams",
      {
        price: {
          type: "by_weight",
          tiers: [
            { max_grams: 5, amount: "1" },
            { max_grams: 5, amount: "2" },
          ],
        },
      },
    ],
    [
      "price.tiers.0.min_subtotal",
      {
        price: { type: "by_subtotal", tiers: [{ min_subtotal: "-1", amount: "1" }] },
      },
    ],
    ["free_over", { free_over: "-1" }],
    ["max_days", { min_days: 3, max_days: 2 }],
    ["payment_methods.0", { payment_methods: ["cheque"] }],
    ["sort_order", { sort_order: 1.5 }],
  ])("names %s in bad input", async (field, body) => {
    expect(await postMethod(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });

  it("archives methods with their zone, and takes no method for an archived zone", async () => {
    const { id, zone_id } = dataOf(await postMethod());
    const spare = await createZoneId({ areas: [{ country: "NG" }] });
    await ask("DELETE", `/delivery/zones/${spare}`);
    const moved = await ask("PATCH", `/delivery/methods/${id}`, { body: { zone_id: spare } });
    expect(moved).toMatchObject({
      status: 400,
      body: { error: { context: { field: "zone_id" } } },
    });
    await ask("DELETE", `/delivery/zones/${zone_id}`);
    expect(await ask("GET", `/delivery/methods/${id}`)).toMatchObject({ status: 404 });
    const late = await ask("POST", "/delivery/methods", { body: { ...flat, zone_id } });
    expect(late).toMatchObject({ status: 400, body: { error: { context: { field: "zone_id" } } } });
  });
});

describe("pickup", () => {
  it("is offered at a location that says so, with its instructions", async () => {
    const [location] = dataOf(await ask("GET", "/locations")).items;
    expect(location).toMatchObject({ offers_pickup: false, pickup_instructions: null });
    const body = { offers_pickup: true, pickup_instructions: "Ring twice." };
    const path = `/locations/${location.id}`;
    expect(dataOf(await ask("PATCH", path, { body }))).toEqual({ ...location, ...body });
    expect(dataOf(await ask("GET", path))).toMatchObject(body);
    const blank = { pickup_instructions: " " };
    expect(dataOf(await ask("PATCH", path, { body: blank }))).toEqual({
      ...location,
      offers_pickup: true,
    });
    const made = await ask("POST", "/locations", { body: { name: "Kiosk", ...body } });
    expect(dataOf(made)).toMatchObject(body);
  });
});
